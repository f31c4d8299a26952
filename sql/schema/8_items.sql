-- Scores of items: items, measures, and the score of every sample.

create table base.item_measure ( -- The measures of a condition
    condition_no integer not null, -- condition
    measure_no integer not null, -- number in the condition, from 1
    measure varchar not null, -- as the file writes it
    is_lower_better integer not null, -- 1: lower scores are better
    is_primary integer not null -- 1: runs are ranked by it
);
-- public base.item_measure: condition_no, measure_no, measure, is_lower_better, is_primary

create table base.item ( -- The items of a condition: inputs of the metrics other than scores (their ids are those of base.block)
    condition_no integer not null, -- condition
    block_no integer not null, -- item
    is_listed integer not null, -- 1: the file of items has it; 0: a run added it
    weight double, -- weight; NULL where the condition names none
    group_no integer, -- number of its group in the condition; NULL: it has none
    cluster_no integer, -- number of its cluster in the condition, its own where it has none; NULL where the condition names none
    content varchar -- hash of the item text from a file of a run; NULL: none
);
-- public base.item: condition_no, block_no, is_listed, weight, group_no, cluster_no, content

create table base.item_attribute ( -- The attributes of items
    condition_no integer not null, -- condition
    block_no integer not null, -- item
    attribute varchar not null, -- name
    value varchar not null, -- value; an item without one has no row
    is_listed integer not null -- 1: the file of items has it; 0: a run gives it (base.run_attribute)
);
-- public base.item_attribute: condition_no, block_no, attribute, value, is_listed

create table base.item_k ( -- The numbers of samples of pass@k and pass^k
    condition_no integer not null, -- condition
    k integer not null -- as the condition says
);
-- public base.item_k: condition_no, k

create table base.item_score ( -- The samples of a run
    run_no integer not null, -- run
    measure_no integer not null, -- measure
    block_no integer not null, -- item
    epoch integer not null, -- attempt at the item, from 1 where the file does not say
    given_score double, -- score as the file has it; NULL: the sample is not scored
    is_error integer not null -- 1: the file says that the sample failed
);
-- public base.item_score: run_no, measure_no, block_no, epoch, given_score, is_error

create table base.run_attribute ( -- Of which items a run gives attributes
    run_no integer not null, -- run
    attribute varchar not null, -- name; empty: the hash of the item's text
    block_no integer not null -- item; 0: all items of the run
);
-- public base.run_attribute: run_no, attribute, block_no

create table base.item_prompt ( -- With which prompts a run was asked the items, where its files say so
    run_no integer not null, -- run
    block_no integer not null, -- item
    prompt varchar not null -- hash of the prompt
);
-- public base.item_prompt: run_no, block_no, prompt

create table base.item_of_measure ( -- The items of each measure: those of the file of items, else those that a run of the condition has under it, scored or not
    condition_no integer not null, -- condition
    measure_no integer not null, -- measure
    block_no integer not null -- item
);
-- public base.item_of_measure: condition_no, measure_no, block_no

create table base.item_baseline ( -- What the baseline of a condition has on each item: the mean of its scored samples
    condition_no integer not null, -- condition
    measure_no integer not null, -- measure
    block_no integer not null, -- item
    baseline_value double not null -- mean score
);
-- public base.item_baseline: condition_no, measure_no, block_no, baseline_value

create table base.item_pass ( -- Probability that some, and that all, of k samples pass, drawn without replacement from those of an item
    condition_no integer not null, -- condition
    k integer not null, -- samples drawn
    n_sample integer not null, -- scored samples of an item, as many as k at least
    n_pass integer not null, -- of them those that pass
    pass_at double not null, -- at least one of k passes
    pass_hat double not null -- all of k pass
);
-- public base.item_pass: condition_no, k, n_sample, n_pass, pass_at, pass_hat
