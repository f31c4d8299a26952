/*
what: How many rows the runs have (in `$counted`), and in words also how many topics of their condition they answer.
*/
update new_run set n_row = own.n, extent = own.extent
from (
    select
        run_no, coalesce(n_row, 0) as n,
        format('{:,} row{}', n, if(n = 1, '', 's'))
        || if($has_topics, format(', {} of {:,} topic{}', coalesce(n_answered, 0), n_topic, if(n_topic = 1, '', 's')), '')
            as extent
    from (select run_no from new_run)
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
