/*
what:   a period ends outside the {n_story} documents, so that one is empty
advice: Give positions in the document order, or document ids where these are rising numbers.
*/
select $where as file, null as line, n_story,
    list_filter($cuts, lambda cut: not cut between 1 and n_story - 1)[1] as value
from period_cut
where not is_by_id and value is not null
