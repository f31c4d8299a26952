-- Computations with their inputs, and the stored results.

create table registry.definition ( -- Every view that computes numbers, with its fingerprints
    relation varchar primary key, -- schema.name with version
    owner varchar not null, -- whose it is: tdtsql, the name of a task package, or own: a user-defined metric
    title varchar not null, -- first line of its contract
    version integer not null, -- version
    class varchar not null, -- exact, libm or external
    token_sha256 varchar not null, -- hash of its tokens; comments and layout do not count
    closure_sha256 varchar not null -- hash of it and of everything it reads
);
-- public registry.definition: relation, owner, title, version, class, token_sha256, closure_sha256

create table registry.published ( -- The metrics that views publish, as their headers say (registry.metric: as they are called)
    metric varchar not null, -- metric id, or its parts
    relation varchar not null, -- the view that computes it
    grain varchar not null, -- score (a number of the run) or block (a number of one block); own metrics of blocks have their mean over them too
    version varchar not null, -- version of the view
    best varchar not null, -- lowest, highest or none
    unit varchar not null, -- unit or range
    title varchar not null, -- in words
    column_name varchar not null, -- column of the view that has its values
    primary key (metric, relation, grain)
);
-- public registry.published: metric, relation, grain, version, best, unit, title, column_name

create table registry.own_metric ( -- Metrics of one's own: the definitions that were added to this store
    name varchar not null, -- metric without own:
    version integer not null, -- version
    tasks varchar not null, -- tasks whose runs have it, between blanks
    definition varchar not null, -- the file as added
    sha256 varchar not null, -- hash of its words and of what it publishes
    closure_sha256 varchar not null, -- hash of it and of everything it reads: sql in its signatures
    path varchar not null, -- as given
    primary key (name, version)
);
-- public registry.own_metric: name, version, tasks, definition, sha256, closure_sha256

create table registry.package ( -- Task packages whose tasks this store has
    package varchar primary key, -- name of the distribution
    version varchar not null, -- its version when it was last used to write here
    task varchar not null, -- the task that it brings
    definitions varchar not null, -- its task, tables, views and profiles as compiled, JSON
    sha256 varchar not null -- hash over the files of its definitions
);
-- public registry.package: package, version, task, definitions, sha256

create table registry.made_with ( -- What the tables and views of this store were made with
    item varchar primary key, -- definitions (hash of the files of sql/), lock (of what this schema says of definitions), lineage (of what it says of columns), catalog (hash of the tables and views as stored), tdtsql, duckdb
    value varchar not null -- hash or version
);
-- public registry.made_with: item, value

create table registry.task ( -- What a task is, one row each
    task varchar primary key, -- task
    position integer not null, -- display order of tasks, from 1
    primary_metric varchar not null, -- the metric that its runs are ranked by, over topics
    primary_of_llr varchar, -- that metric where scores are log-likelihood ratios; NULL: the same
    primary_weighting varchar not null, -- the weighting of that metric; of scored trials story
    best varchar not null, -- lowest or highest, of that metric
    summary varchar not null, -- the metrics, over topics, that a table of runs shows, with blanks between them; {measure} is the name of a measure
    decides_on varchar, -- unit of a decision: topic (a story of each topic), story, pair or trial (of a key); NULL: no decisions
    block varchar not null, -- what its blocks are: topic, event or attribute
    run_table varchar not null, -- the table that a run of it cannot be without
    is_detection integer not null, -- 1: its runs are decisions on trials, with scores
    may_be_partition integer not null, -- 1: conditions and runs are checked for stories with several topics
    is_scored_together integer not null, -- 1: the numbers of a run may depend on the other runs of its condition
    has_second_judgments integer not null, -- 1: conditions are copied to the second judgments of the corpus
    is_in_plan integer not null, -- 1: the 2004 TDT evaluation plan has it
    default_profile varchar not null -- profile of a condition that names none
);
-- public registry.task: task, position, primary_metric, primary_of_llr, primary_weighting, best, summary, decides_on, block
-- public registry.task: run_table, is_detection, may_be_partition, is_scored_together, has_second_judgments
-- public registry.task: is_in_plan, default_profile

create table registry.task_definition ( -- One fingerprint of all published views of a task
    task varchar primary key, -- task
    sha256 varchar not null -- changes when any number of the task may
);
-- public registry.task_definition: task, sha256

create table registry.current_input ( -- Current inputs of the scores of a run
    run_no integer primary key, -- run
    sha256 varchar not null -- hash over the run, its condition, its corpus, and other runs where numbers depend on them
);
-- public registry.current_input: run_no, sha256

create table ledger.computation ( -- One evaluation of a run under a profile
    computation_no bigint primary key, -- key
    run_no integer not null, -- run
    profile_no integer not null, -- profile
    input_sha256 varchar not null, -- registry.current_input at that time
    profile_text varchar not null, -- values of the profile at that time
    definition_sha256 varchar not null, -- registry.task_definition at that time
    n_value bigint not null, -- stored scores
    result_sha256 varchar not null, -- hash of the stored scores
    tdtsql_version varchar not null, -- program
    duckdb_version varchar not null -- engine
);
-- public ledger.computation: computation_no, run_no, profile_no, input_sha256, profile_text, definition_sha256
-- public ledger.computation: n_value, result_sha256, tdtsql_version, duckdb_version

create table ledger.result_score ( -- Stored scores of runs
    computation_no bigint not null, -- the computation that made it
    subset_no integer not null, -- subset
    metric varchar not null, -- metric id
    weighting varchar not null, -- topic, topic_all, story, group, weight or none
    value double, -- the number; NULL where undefined
    n bigint not null, -- blocks or trials behind it
    version varchar not null, -- version of the view
    null_reason varchar -- why the number is NULL; NULL where there is one
);
-- grain ledger.result_score: computation_no, subset_no, metric, weighting, version
-- public ledger.result_score: computation_no, subset_no, metric, weighting, value, n, version, null_reason

create table ledger.result_block ( -- Stored scores of blocks
    computation_no bigint not null, -- the computation that made it
    subset_no integer not null, -- subset
    block_no integer not null, -- block
    metric varchar not null, -- metric id
    value double, -- the number; NULL where undefined
    version varchar not null, -- version of the view
    null_reason varchar -- why the number is NULL; NULL where there is one
);
-- grain ledger.result_block: computation_no, subset_no, block_no, metric, version
-- public ledger.result_block: computation_no, subset_no, block_no, metric, value, version, null_reason

create table ledger.result_label ( -- Stored results that are names
    computation_no bigint not null, -- the computation that made it
    block_no integer not null, -- block
    metric varchar not null, -- metric id
    value varchar -- the name
);
-- grain ledger.result_label: computation_no, block_no, metric
-- public ledger.result_label: computation_no, block_no, metric, value

create table ledger.result_det_point ( -- Stored points of DET curves
    computation_no bigint not null, -- the computation that made it
    subset_no integer not null, -- subset
    weighting varchar not null, -- topic, story, or none for the curve of one block
    block_no integer not null, -- block; 0 for the run
    point_no bigint not null, -- order along the curve
    threshold double, -- lowest accepted score; NULL for reject-all
    p_miss double, -- miss probability
    p_fa double, -- false-alarm probability
    p_miss_se double, -- standard error over topics
    p_fa_se double, -- standard error over topics
    c_det_norm double, -- normalised cost
    n_block bigint -- topics in the mean
);
-- grain ledger.result_det_point: computation_no, subset_no, weighting, block_no, point_no
-- public ledger.result_det_point: computation_no, subset_no, weighting, block_no, point_no, threshold, p_miss, p_fa
-- public ledger.result_det_point: p_miss_se, p_fa_se, c_det_norm, n_block

create table ledger.result_pairing ( -- Stored one-to-one pairings of clusters, of the blocks that need a search
    computation_no bigint not null, -- the computation that made it
    subset_no integer not null, -- subset
    block_no integer not null, -- block
    n_search_item bigint, -- items of the pairs; NULL where it was not searched
    search_similarity decimal(38, 0), -- similarity of the pairs, in units of 1e-15
    is_made integer not null -- 1: searched; 0: not, because it takes long
);
-- grain ledger.result_pairing: computation_no, subset_no, block_no
-- public ledger.result_pairing: computation_no, subset_no, block_no, n_search_item, search_similarity, is_made

create table ledger.past_score ( -- Numbers of subset all of computations that were replaced, or whose run was dropped; not in archives
    computation_no bigint not null, -- the computation that made it; when and of what: ledger.computation_made
    condition_id varchar not null, -- name of the condition
    run_id varchar not null, -- name of the run
    profile_id varchar not null, -- scoring profile
    metric varchar not null, -- metric id
    weighting varchar not null, -- topic, topic_all, story, group, weight or none
    value double, -- the number; NULL where undefined
    n bigint not null, -- blocks or trials behind it
    version varchar not null, -- version of the view
    null_reason varchar -- why the number is NULL; NULL where there is one
);

create table ledger.entry ( -- What happened to this store, in order; each entry holds the hash of the one before
    entry_no bigint primary key, -- dense, from 1
    made_at varchar not null, -- when, UTC
    kind varchar not null, -- define, load, content, drop, rename, withdraw, restore, compute, distribute; of a bundle unread (by size and times) or reread
    subject varchar not null, -- corpus:ID, condition:ID, run:CONDITION/ID, or the store
    detail varchar not null, -- JSON: files with size, hash and reader; versions; hashes of inputs and results
    previous_sha256 varchar not null, -- hash of the entry before; zeros for the first
    sha256 varchar not null -- hash over the columns above
);
-- public ledger.entry: entry_no, made_at, kind, subject, detail, previous_sha256, sha256
