/*
what: Tidy rows without a column of runs are of one run, those without one of confidences equally certain.
*/
update read_summarization set run_id = coalesce(run_id, $run_id), confidence = coalesce(confidence, 1)
where run_id is null or confidence is null
