/*
what:   the {kind} names a source file that no index or stories file has
advice: It has no effect.
*/
select file, line, source_file as value, kind
from (
    select 'exclude list' as kind, file, line, source_file
    from set_member where kind = 'exclude list' and source_file in (select source_file from excluded_file)
    union all
    select kind, file, line, source_file from set_member where kind = 'subset file'
    union all
    select 'auxiliary index', file, line, source_file from side_row)
where source_file not in (select source_file from corpus_file)
