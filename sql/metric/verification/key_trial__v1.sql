/*
title:    The trials of a key, by the names and attributes that the key gives them
source:   NIST speaker recognition evaluations, ASVspoof 5 (keys list trials with their attributes)
inputs:   base.verification_trial, base.verification_segment
grain:    condition_no, trial_no
columns:
    condition_no  key   condition
    trial_no      key   number in the condition, from 1, in the order of the key
    trial_id      text  the trial, or what was enrolled
    test_id       text  what it is compared with; NULL where the trial has one id
    attributes    text  name=value of each attribute that the key has of it, between commas; NULL: none
class:    exact
volume:   decisions
see also: report.trial, base.verification_attribute
*/
select condition_no, trial_no, trial_id, test_id, attributes
from base.verification_trial join base.verification_segment using (condition_no, segment_no)
