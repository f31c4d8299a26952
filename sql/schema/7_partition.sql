-- Partitions: items in gold clusters, items in the clusters of a run; names once, numbers everywhere else.
-- Of millions of ids, each once, zstd takes less than half the time of the engine's own choice, and no more room.

create table base.partition_item ( -- The items that the gold of a condition names
    condition_no integer not null, -- condition
    item_no integer not null, -- number in the condition, from 1
    block_no integer not null, -- block
    item_id varchar not null using compression zstd, -- as the file writes it
    story_no integer not null -- the story of this id; 0: the corpus has none
);
-- public base.partition_item: condition_no, item_no, block_no, item_id, story_no

create table base.partition_gold_cluster ( -- The gold clusters
    condition_no integer not null, -- condition
    cluster_no integer not null, -- number in the condition, from 1; of one block
    block_no integer not null, -- block
    cluster_id varchar not null -- as the file writes it
);
-- public base.partition_gold_cluster: condition_no, cluster_no, block_no, cluster_id

create table base.partition_gold ( -- Which item is in which gold cluster
    condition_no integer not null, -- condition
    item_no integer not null, -- item
    cluster_no integer not null, -- gold cluster
    place integer not null -- of the clusters of the item, in the order of the file, from 1
);
-- public base.partition_gold: condition_no, item_no, cluster_no, place

create table base.partition_extra_item ( -- The items of a run that the gold does not name
    run_no integer not null, -- run
    item_no integer not null, -- number in the run, after those of the condition
    block_no integer not null, -- block
    item_id varchar not null using compression zstd, -- as the file writes it
    story_no integer not null -- the story of this id; 0: the corpus has none
);
-- public base.partition_extra_item: run_no, item_no, block_no, item_id, story_no

create table base.partition_extra_block ( -- The blocks of a run that the gold does not have
    run_no integer not null, -- run
    block_no integer not null, -- number in the run, after those of the condition
    block_id varchar not null -- as the file writes it
);
-- public base.partition_extra_block: run_no, block_no, block_id

create table base.partition_cluster ( -- The clusters of a run
    run_no integer not null, -- run
    cluster_no integer not null, -- number in the run, from 1; of one block
    block_no integer not null, -- block
    cluster_id varchar not null, -- as the file writes it
    is_noise integer not null -- 1: its id is the condition's label of noise
);
-- public base.partition_cluster: run_no, cluster_no, block_no, cluster_id, is_noise

create table base.partition_answer ( -- Which item is in which cluster of a run
    run_no integer not null, -- run
    item_no integer not null, -- item
    cluster_no integer not null, -- cluster of the run
    place integer not null -- of the clusters of the item, in the order of the file, from 1
);
-- public base.partition_answer: run_no, item_no, cluster_no, place

create table base.partition_document ( -- How many lines the documents have whose items are spans of lines
    condition_no integer not null, -- condition
    block_id varchar not null, -- document
    n_line bigint not null -- lines that are not empty
);
-- public base.partition_document: condition_no, block_id, n_line

create table base.partition_window ( -- Windows of days that are the blocks of a condition, also those in which the gold has no item
    condition_no integer not null, -- condition
    block_id varchar not null, -- first and last day, or the day
    first_day varchar not null, -- YYYY-MM-DD
    last_day varchar not null -- YYYY-MM-DD
);
-- public base.partition_window: condition_no, block_id, first_day, last_day
