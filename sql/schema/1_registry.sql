-- What is loaded: corpora, conditions, profiles, runs, input files.
-- Tables only; every column carries its meaning as a comment (`-- text` behind it becomes COMMENT ON).

create table registry.corpus ( -- One collection of stories with its topics and judgments
    corpus_no integer primary key, -- key
    corpus_id varchar not null unique, -- name in the bundle
    n_story bigint not null, -- stories loaded; 0 where a task needs none
    content_sha256 varchar not null, -- hash of the stories, topics and judgments in the tables: the same rows have the same hash, however they came
    source_sha256 varchar -- hash of the files it came from and of the settings
);
-- public registry.corpus: corpus_no, corpus_id, n_story, content_sha256

create table registry.condition ( -- One evaluation condition: a task with its parameters over one corpus
    condition_no integer primary key, -- key
    condition_id varchar not null unique, -- name in the bundle
    corpus_no integer not null, -- the corpus it is over
    task varchar not null, -- tracking, new_event, link, hierarchy, filtering, summarization, value_tracking, verification or partition
    judgment_set integer not null, -- 1, or 2 for a second judgment set of the same corpus
    base_condition_no integer not null, -- the condition with the first judgment set; itself otherwise
    nt varchar, -- number of training stories: 1, 2, 4 or V (variable); NULL where the task has none
    training_language varchar, -- language of the training stories, as the boundary table writes it
    languages varchar, -- languages of the test stories, blank-separated; NULL for all
    deferral integer, -- deferral period N_f in source files
    pointer_type varchar, -- pointer type of the index files: recid, time or docno
    mapping varchar not null, -- pointer mapping: majority or impulse
    on_topic varchar not null, -- judgment labels that count as on topic, blank-separated
    topic_pattern varchar, -- regular expression the topic ids match whole; NULL for all
    has_key integer not null, -- 1: targets come from a key file; 0: from the judgments
    unknown_topics varchar, -- filtering: error or ignore lines of runs on topics that the corpus does not have; NULL for other tasks
    unknown_documents varchar, -- filtering: what a document that the corpus does not have is in a run: an error, ignored, or not_relevant
    score_kind varchar, -- detection: llr (scores are natural logarithms of likelihood ratios) or score (higher is more confident, on any scale); NULL for other tasks
    noise_label varchar, -- partition: cluster of a run that holds what is in no cluster; empty: none; NULL for other tasks
    ignore_label varchar, -- verification: words of labels whose trials are left out, between blanks; empty: none; NULL for other tasks
    repeated_trials varchar, -- verification: duplicate trial of the key with the same label: an error, ignored (first), or a separate trial (each); NULL for other tasks
    scores varchar, -- verification: what the files of runs hold: llr (natural logarithm of the likelihood ratio), score, probability or log10lr; NULL for other tasks
    ranked_by varchar, -- items: the measure that runs are ranked by; empty: the only one, or the first; NULL for other tasks
    lower_is_better varchar, -- items: measures of which lower scores are better, one per line; NULL for other tasks
    attributes varchar, -- items: attributes that the files of runs give, one per line; NULL for other tasks
    group_by varchar, -- items: attributes whose values are groups, one per line; NULL for other tasks
    cluster_by varchar, -- items: attributes whose values are clusters, one per line; NULL for other tasks
    subsets varchar, -- items: attributes whose values are subsets, one per line; NULL: those with few values that name no clusters, and for other tasks
    baseline varchar, -- items: run that others are held against; empty: none; NULL for other tasks
    missing_item varchar, -- items: an item that a run has no score for: drop it from the mean, or error; NULL for other tasks
    unknown_item varchar, -- items: an item of a run that the file of items does not have: error or ignore; NULL for other tasks
    repeated_item varchar, -- items: rows of one item: error, or each an epoch; NULL for other tasks
    error_item varchar, -- items: a failed sample has the score that the file gives, or is missing; NULL for other tasks
    is_required integer not null, -- 1: a required condition of the plan (tables 2, 5, 7, A1)
    content_sha256 varchar not null, -- hash of the condition's name, its parameters and its rows in the tables, those of the corpus apart
    source_sha256 varchar, -- hash of the files it came from, of the settings, and of source_sha256 of its corpus
    is_partition integer -- tracking, 1: no story is labelled (base.labelled_story) for two topics; 0: one is; NULL: not looked up
);
-- public registry.condition: condition_no, condition_id, corpus_no, task, judgment_set, base_condition_no, nt
-- public registry.condition: training_language, languages, deferral, pointer_type, mapping, on_topic, topic_pattern
-- public registry.condition: has_key, unknown_topics, unknown_documents, score_kind, noise_label, ignore_label
-- public registry.condition: repeated_trials, scores, ranked_by, lower_is_better, attributes, group_by, cluster_by
-- public registry.condition: baseline, missing_item, unknown_item, repeated_item, error_item, is_required
-- public registry.condition: subsets, content_sha256, is_partition

create table registry.condition_profile ( -- The scoring profiles of a condition
    condition_no integer not null, -- condition
    profile_no integer not null, -- profile
    primary key (condition_no, profile_no)
);
-- public registry.condition_profile: condition_no, profile_no

create table registry.run ( -- One system output under one condition
    run_no integer primary key, -- key
    run_id varchar not null, -- name in the bundle or in the file
    condition_no integer not null, -- the condition it answers
    system varchar, -- the system's own name, from the file header
    format varchar not null, -- tdt, tidy, trec, htd-xml, ts, vt, conll, jsonl, kaldi, voxceleb, sre, asvspoof, frame (from Python) or calibrated (derived from another run)
    n_row bigint not null, -- decisions, pairs, vertices or updates stored
    content_sha256 varchar not null, -- hash of the run's name and of what was read of it: the same rows have the same hash, however they came
    source_sha256 varchar, -- hash of the files it came from, of how many runs are in each, of how they were read, and of the run's name if one was given; NULL: it was not loaded
    has_decision integer, -- tasks of decisions, 1: with decisions; 0: scores only; NULL: another task, or not looked up
    is_partition integer, -- tracking, 1: the run puts no story in two topics; 0: it does; NULL: not looked up
    unique (condition_no, run_id)
);
-- public registry.run: run_no, run_id, condition_no, format, n_row, content_sha256, has_decision, is_partition

create table registry.withdrawal ( -- Withdrawn runs: stored with their scores, and not ranked
    run_no integer primary key, -- run
    withdrawn_at varchar not null, -- when, UTC
    reason varchar not null -- why, as given
);
-- public registry.withdrawal: run_no, withdrawn_at

create table registry.run_fact ( -- Provenance of a run, from its metadata file; no score depends on it
    run_no integer not null, -- run
    fact_no integer not null, -- position in the file, from 1
    name varchar not null, -- for example implementation.source.commit; components of ir_metadata, entries of lists numbered from 1
    value varchar not null, -- as given
    path varchar not null, -- file that says so, as given
    sha256 varchar not null, -- of the bytes of that file
    primary key (run_no, fact_no)
);

create table registry.input_file ( -- Every file that was read, as it was read
    input_file_no integer primary key, -- key
    owner varchar not null, -- corpus:ID, condition:ID or run:CONDITION/ID
    kind varchar not null, -- the reader that read it
    path varchar not null, -- as given
    n_byte bigint not null, -- size in bytes
    sha256 varchar not null, -- of the bytes as given
    n_problem bigint not null, -- warnings accepted; of a file of several runs, those of this run
    reader_version varchar not null -- version of tdtsql that read it
);
-- public registry.input_file: input_file_no, owner, kind, path, n_byte, sha256, n_problem, reader_version

create table registry.problem ( -- Warnings that were accepted, one row each
    owner varchar not null, -- corpus:ID, condition:ID or run:CONDITION/ID
    code varchar not null, -- stable code, W...
    path varchar not null, -- file
    line bigint, -- line, where one is meant
    column_no bigint, -- column, where one is meant
    message varchar not null, -- what is wrong
    value varchar -- the offending text
);
-- public registry.problem: owner, code, path, line, column_no, message, value
