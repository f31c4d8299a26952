/*
title:  a file in which no row can be read as a decision
what:   no run is in the file: not one of its rows can be read as a decision
advice: Is it in the format that the condition takes?
*/
select 0 as file, null as line, null as value where $is_sound and not exists (from new_run)
