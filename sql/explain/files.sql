/*
title:    Files of a run, of its condition and of its corpus
*/
select owner, path, kind, n_byte, sha256
from registry.input_file
where owner in (
        select unnest([
            'run:' || condition_id || '/' || run_id, 'condition:' || condition_id, 'corpus:' || corpus_id
        ])
        from registry.run
        cross join registry.condition
        join registry.corpus using (corpus_no)
        where run_no = $run_no and condition.condition_no = $condition_no
    )
order by owner desc, path
