/*
title:    What a release holds, in one row; the same store gives the same row
*/
with

named_run as (
    select
        run.*, condition_id, withdrawal.reason as withdrawn,
        (
            select count(*)
            from registry.input_file
            where owner = 'run:' || condition_id || '/' || run_id
        ) as n_file,
        (select count(*) from registry.run_fact where run_fact.run_no = run.run_no) as n_fact
    from registry.run
    join registry.condition using (condition_no)
    left join registry.withdrawal using (run_no)
),

named_condition as (
    select
        condition.*, corpus_id, n_story,
        (
            select count(*)
            from base.block
            where block.condition_no = condition.condition_no and is_scored = 1
        ) as n_topic,
        (
            select coalesce(list(profile_id order by profile_id), [])
            from registry.condition_profile
            join registry.profile using (profile_no)
            where condition_profile.condition_no = condition.condition_no
        ) as profiles,
        (
            select coalesce(list(run_id order by run_id), [])
            from named_run
            where named_run.condition_no = condition.condition_no and withdrawn is null
        ) as runs
    from registry.condition
    join registry.corpus using (corpus_no)
)

select
    (
        select coalesce(list(struct_pack(
            "condition" := condition_id, task := task, corpus := corpus_id, n_topic := n_topic,
            plan := case when is_required = 1 then 'required' else 'other' end, judgments := content_sha256,
            profiles := profiles, runs := runs
        ) order by condition_id), [])
        from named_condition
    ) as conditions,
    (
        select coalesce(list(struct_pack(
            corpus := corpus_id, n_story := n_story, corpus_sha256 := content_sha256
        ) order by corpus_id), [])
        from registry.corpus
    ) as corpora,
    (
        select coalesce(list(struct_pack(
            run := run_id, "condition" := condition_id, system := system, format := format, n_row := n_row,
            run_sha256 := content_sha256, n_file := n_file, n_fact := n_fact, withdrawn := withdrawn
        ) order by condition_id, run_id), [])
        from named_run
    ) as runs,
    (
        select coalesce(list(struct_pack(
            profile := profile_id, base := base_profile, source := source
        ) order by profile_id), [])
        from registry.profile
        where profile_no in (select profile_no from registry.condition_profile)
    ) as profiles,
    struct_pack(
        tdtsql := (select coalesce(list(distinct tdtsql_version order by tdtsql_version), []) from ledger.computation),
        duckdb := (select coalesce(list(distinct duckdb_version order by duckdb_version), []) from ledger.computation),
        definitions := (
            select coalesce(map(list(task order by task), list(sha256 order by task)), map())
            from registry.task_definition
            where task in (select task from registry.condition)
        )
    ) as versions,
    (select count(*) from report.score) + (select count(*) from report.block_score) as n_number
