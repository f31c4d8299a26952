/*
what:   document {value} has {n_own} {lines}, and {n_gold} in the gold: mentions would shift
advice: Give both the same lines.
*/
select
    0 as file, null as line, document.block_id as value, document.n_line as n_own,
    if(document.n_line = 1, 'line', 'lines') as lines,
    gold.n_line as n_gold
from partition_document as document
join base.partition_document as gold on gold.block_id = document.block_id
where gold.condition_no = $condition and gold.n_line <> document.n_line
order by value
