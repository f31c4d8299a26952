/*
title:    A judgment is yes, brief or no
severity: error
inputs:   base.judgment
checked:  after every load
*/
select *
from base.judgment
where label not in ('yes', 'brief', 'no')
