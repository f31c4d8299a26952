/*
title:    Every run has up-to-date numbers under every profile of its condition
severity: warning
inputs:   report.stale
*/
select *
from report.stale
