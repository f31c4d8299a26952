/*
title:  How many numbers an archive has, and its user-defined metrics with version and hash; has_labels: those that are
        names are in it
*/
select
    (select count(*) from report.score) + (select count(*) from report.block_score)
    + if($has_labels, (select count(*) from report.block_label), 0) as n_value,
    (
        select coalesce(list(format(
            'own:{} v{} ({})', name, version, left(closure_sha256, 8)
        ) order by name, version), [])
        from registry.own_metric
    ) as own
