/*
what: The segments that decisions ought to have (moved_decision).
*/
update base.decision set segment_no = moved.segment_no
from moved_decision as moved
where moved.run_no = decision.run_no and moved.block_no = decision.block_no and moved.trial_no = decision.trial_no
