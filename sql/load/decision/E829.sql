/*
title:  one decision in two files of a run
what:   {what} of {named} {are} {where} another of its files, {first}{path}
advice: {advice}
*/
-- by one of them; those of one file were reported with it, and a run that files name in two of them is another error;
-- E845 is the code of records, E865 that of documents
with own as (
    select run_no, file, block_no, trial_no, document
    from run_decision
    where unknown is null and run_no in (
        select run_no from new_run where n_file > 1 and (run_id is null or $called is not null))
),

repeated as (
    select run_no, block_no, list_extract($paths, min(file) + 1) as path, max(file) as file,
        count(*) over (partition by run_no) as n
    from own
    semi join (select run_no, block_no from own group by run_no, block_no having min(file) < max(file))
        using (run_no, block_no)
    group by run_no, block_no, trial_no, document
    having min(file) < max(file)
    qualify row_number() over (partition by run_no order by block_no, trial_no, document) = 1
)

select $repeated as code, repeated.file, null as line, 'topic ' || block_id as value, path, run_id as run,
    coalesce(format('run ''{}''', run_id), 'the run') as named, if(n = 1, 'is', 'are') as are,
    format('{:,} ', n) || if($repeated = 'E865', 'document', 'decision') || if(n = 1, '', 's') as what,
    if($repeated = 'E865', 'repeated for one topic in', 'also in') as "where",
    if($repeated = 'E865', '', 'the first in ') as first,
    case $repeated when 'E865' then 'Give each document once, or each run its own tag.'
        when 'E845' then 'Keep one of the two.' else 'Keep each in one file.' end as advice
from repeated
join new_run using (run_no)
left join (select block_id, block_no from base.block where condition_no = $condition) using (block_no)
