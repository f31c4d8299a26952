/*
title:  How large each run is: the numbers of a subset take as much memory as some rows
*/
select run_no, n_row + 10 * count(subset_no)
from registry.run
left join base.subset using (condition_no)
group by run_no, n_row
