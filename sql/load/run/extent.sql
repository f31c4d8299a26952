/*
what: How many rows runs have (in `$counted`), and how many topics of their condition they answer, in words.
*/
update new_run set extent = own.extent
from (
    select
        run_no,
        format('{:,} row', coalesce(n_row, 0)) || if(n_row = 1, '', 's') || if(
            $has_topics,
            format(', {} of {:,} topic', coalesce(n_answered, 0), n_topic) || if(n_topic = 1, '', 's'),
            '') as extent
    from new_run
    left join (
        select run_no, count(*) as n_row from query_table($counted) semi join new_run using (run_no) group by run_no
    ) using (run_no)
    left join (
        select run_no, count(distinct block_no) as n_answered
        from base.decision
        semi join new_run using (run_no)
        where $has_topics
        group by run_no
    ) using (run_no)
    cross join (select count(*) as n_topic from base.block where condition_no = $condition)
) as own
where own.run_no = new_run.run_no
