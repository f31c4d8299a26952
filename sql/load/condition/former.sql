/*
what: What the store has of a condition: its runs, its number if it is of another corpus, and its profiles that are not
      chosen any more.
*/
select
    (
        select coalesce(list(run_id order by run_id), [])
        from registry.run
        join registry.condition using (condition_no)
        where condition_id = $id
    ) as runs,
    (select condition_no from registry.condition where condition_id = $id and corpus_no <> $corpus) as other_no,
    (
        select coalesce(list(profile_id order by profile_no), [])
        from registry.condition_profile
        join registry.profile using (profile_no)
        join registry.condition using (condition_no)
        where condition_id = $id and not list_contains(cast($profiles as varchar[]), profile_id)
    ) as gone
