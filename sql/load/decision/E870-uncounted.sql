/*
what:   {none} among the stories that the condition tests, of which one is {example!r}
advice: Write the ids as the condition does, or name the condition of this run.
*/
with story as (
    select story_no, story_id from base.story where corpus_no = $corpus
)

select $file as file, null as line,
    (
        select min(coalesce(story_id, document_id))
        from (select trial_no from base.decision where run_no = $run order by trial_no desc limit 1)
        left join story on story_no = trial_no
        left join (select trial_no, document_id from base.unlisted_document where run_no = $run) using (trial_no)
    ) as value,
    if($n_row = 1, 'the only one of the decisions of the run is not',
        format('none of the {:,} decisions of the run is', $n_row)) as none,
    coalesce(
        (select min(story_id) from base.listed_pair join story on story_no = trial_no where condition_no = $condition),
        (select min(story_id) from base.segment_story join story using (story_no) where condition_no = $condition)
    ) as example
