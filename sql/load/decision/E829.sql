/*
title:  one decision in two files of a run
what:   {decisions} of {named} {are} also in another of its files, the first in {path}
advice: Keep each in one file.
*/
select *, null as line from repeated_decision
