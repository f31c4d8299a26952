/*
title:    A travel cost over that of the deepest walk of an ideal hierarchy
formula:  travel / ((c_branch * optbr + c_title) * log_optbr(n_story))
source:   The 2004 TDT evaluation plan, appendix A, section 10.1 (Ctravel, normalised)
exact:    Not exact: two logarithms, whose last bits differ between machines.
edges:    NULL where the collection has one story or none: there is nothing to walk. NULL where walking costs nothing.
*/
create macro normalised_travel(travel, n_story, c_branch, c_title, optbr) as
    case when n_story > 1 then ratio(travel, (c_branch * optbr + c_title) * (ln(n_story) / ln(optbr))) end
