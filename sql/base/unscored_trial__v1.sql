/*
title:    Stories of tracking and filtering that are no trials of a topic under a profile
source:   The 2004 TDT evaluation plan, sections 3 and 5.2
inputs:   base.tracking_label__v1
grain:    condition_no, profile_no, block_no, trial_no
columns:
    condition_no  key  condition
    profile_no    key  scoring profile
    block_no      key  topic
    trial_no      key  story
edges:    Separate, because it is small: every decision is looked up in it.
class:    exact
see also: tracking_label__v1 (says why), tracking_decision__v1
*/
select condition_no, profile_no, block_no, trial_no from base.tracking_label__v1 where is_scored = 0
