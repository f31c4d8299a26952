/*
what:   score is out of range, expected a number between -9e99 and 9e99
advice: Divide all scores of the run by one positive number: their order stays.
*/
select file, line, score as value from decided where unknown is null and abs(score) > 9e99
