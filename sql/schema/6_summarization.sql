-- Temporal summarization and value tracking: events, nuggets, judged updates, matches, what the systems sent.

create table base.event ( -- The events of a condition; a block of the same number each
    condition_no integer not null, -- condition
    block_no integer not null, -- event
    event_id varchar not null, -- as the nuggets file (or the topics file) writes it
    title varchar, -- title, where a topics file gives it
    kind varchar, -- accident, storm, ..., where a topics file gives it
    start_time bigint, -- first second of the event; NULL without a topics file
    end_time bigint, -- last second of the event; NULL without a topics file
    n_pool_row bigint not null, -- pooled updates of the event
    n_match_row bigint not null -- match rows of the event, whole or not
);
-- public base.event: condition_no, block_no, event_id, title, kind, start_time, end_time, n_pool_row, n_match_row

create table base.nugget ( -- Rows of the nuggets file, repeated ids included
    condition_no integer not null, -- condition
    block_no integer not null, -- event
    nugget_no integer not null, -- nugget, numbered by id over the condition, from 1
    row_no integer not null, -- position in the file; of a repeated id the last row counts
    nugget_id varchar not null, -- as in the file
    nugget_time bigint not null, -- time of the edit with it, seconds since 1970
    importance double not null, -- grade
    length_column bigint not null, -- length as the file says, in the profile's unit
    n_word_blanks bigint not null, -- blanks of the text plus one
    n_word bigint not null, -- words of the text
    nugget_text varchar not null -- text
);
-- public base.nugget: condition_no, block_no, nugget_no, row_no, nugget_id, nugget_time, importance, length_column
-- public base.nugget: n_word_blanks, n_word, nugget_text

create table base.known_update ( -- Updates that the pool, the matches or the duplicates file know; number 0 of each event represents all others
    condition_no integer not null, -- condition
    block_no integer not null, -- event
    update_no integer not null, -- update, numbered by id over the condition, from 1; 0: any that no file knows
    update_id varchar not null, -- document-sentence
    is_pooled integer not null, -- 1: in the pool, so it was judged
    length_column bigint, -- length as the pool says, in the profile's unit; NULL outside the pool
    n_word_blanks bigint, -- blanks of the text plus one; NULL outside the pool
    n_word bigint, -- words of the text; NULL outside the pool
    duplicate_no integer not null, -- the pooled update it repeats, as the pool says; 0 for none
    twin_no integer not null, -- the pooled update with the same text, as the duplicates file says; 0 for none
    update_text varchar -- text; NULL outside the pool
);
-- public base.known_update: condition_no, block_no, update_no, update_id, is_pooled, length_column, n_word_blanks
-- public base.known_update: n_word, duplicate_no, twin_no, update_text

create table base.nugget_match ( -- Rows of the matches file: this update says that nugget, here
    condition_no integer not null, -- condition
    block_no integer not null, -- event
    match_no integer not null, -- position in the file, from 1
    update_no integer not null, -- update
    nugget_no integer not null, -- nugget; 0: the nuggets file does not know it
    has_span integer not null, -- 1: the offsets can be read; 0: the row only says that the nugget is matched
    span_start bigint, -- first character, from 0
    span_end bigint, -- behind the last character
    program_from_bytes bigint not null, -- first marked word as the track's programs count it, offsets in bytes
    program_to_bytes bigint not null, -- behind the last marked word, same count
    program_from_chars bigint not null, -- first marked word as the programs count it, offsets in characters
    program_to_chars bigint not null, -- behind the last marked word, same count
    exact_from_bytes bigint not null, -- first word with a character in the span, offsets in bytes
    exact_to_bytes bigint not null, -- behind the last such word
    exact_from_chars bigint not null, -- first word with a character in the span, offsets in characters
    exact_to_chars bigint not null -- behind the last such word
);
-- public base.nugget_match: condition_no, block_no, match_no, update_no, nugget_no, has_span, span_start, span_end
-- public base.nugget_match: program_from_bytes, program_to_bytes, program_from_chars, program_to_chars
-- public base.nugget_match: exact_from_bytes, exact_to_bytes, exact_from_chars, exact_to_chars

create table base.run_update ( -- What a system sent, once and in its order
    run_no integer not null, -- run
    block_no integer not null, -- event
    update_seq integer not null, -- row in the run's files, counted on from file to file
    update_no integer not null, -- the update, where a file of the condition knows it; 0 otherwise
    update_id varchar not null, -- document-sentence
    decision_time bigint not null, -- when it was sent, seconds since 1970
    confidence double not null, -- as the run says; infinite is 1000
    position integer not null -- rank among the run's updates of the event, from 0
);
-- public base.run_update: run_no, block_no, update_seq, update_no, update_id, decision_time, confidence, position

create table base.run_event ( -- The events a run has updates for
    run_no integer not null, -- run
    block_no integer not null, -- event
    n_row bigint not null, -- updates
    min_confidence double not null, -- least confidence
    max_confidence double not null -- greatest confidence
);
-- public base.run_event: run_no, block_no, n_row, min_confidence, max_confidence

create table base.first_emission ( -- When the runs of a condition first sent a pooled update (for the latency fix)
    condition_no integer not null, -- condition
    block_no integer not null, -- event
    update_no integer not null, -- pooled update
    first_time bigint not null -- earliest decision time over all runs loaded under the condition
);
-- public base.first_emission: condition_no, block_no, update_no, first_time

create table base.condition_tau ( -- Evaluation times of the time-sensitive metrics of a condition
    condition_no integer not null, -- condition
    subset_no integer not null, -- the subset tau=SECONDS
    tau_seconds bigint not null -- seconds after the event's start
);
-- public base.condition_tau: condition_no, subset_no, tau_seconds

create table base.attribute ( -- The attributes whose values are tracked: a block each
    condition_no integer not null, -- condition
    block_no integer not null, -- block EVENT/ATTRIBUTE
    subset_no integer not null, -- the subset attribute=NAME
    event_id varchar not null, -- event
    attribute varchar not null, -- deaths, injuries, displaced, financialimpact or locations
    start_time bigint not null, -- first second of the event
    end_time bigint not null -- last second of the event
);
-- public base.attribute: condition_no, block_no, subset_no, event_id, attribute, start_time, end_time

create table base.true_value ( -- The true values of an attribute over time
    condition_no integer not null, -- condition
    block_no integer not null, -- attribute of an event
    true_no integer not null, -- number in time, from 1
    true_time bigint not null, -- the value holds from here on
    number double, -- the value; NULL for a location
    latitude double, -- of a location, in degrees
    longitude double -- of a location, in degrees
);
-- public base.true_value: condition_no, block_no, true_no, true_time, number, latitude, longitude

create table base.submitted_value ( -- The values that a run submitted
    run_no integer not null, -- run
    block_no integer not null, -- attribute of an event
    value_no integer not null, -- position in the files of the run, from 1
    value_time bigint not null, -- the value holds behind this time
    number double, -- the value; NULL for a location
    latitude double, -- of a location, in degrees
    longitude double, -- of a location, in degrees
    confidence double not null, -- as the run says; not used
    document_id varchar, -- evidence; NULL for a prior
    sentence_id varchar -- evidence; NULL for a prior
);
-- public base.submitted_value: run_no, block_no, value_no, value_time, number, latitude, longitude, confidence
-- public base.submitted_value: document_id, sentence_id

create table base.value_distance ( -- Geodesic distances of submitted and true locations on WGS84
    run_no integer not null, -- run
    block_no integer not null, -- attribute of an event
    value_no integer not null, -- submitted value
    true_no integer not null, -- true value
    distance_km double not null, -- kilometres
    is_vincenty integer not null -- 1: Vincenty's formula; 0: it does not converge (nearly antipodal), Karney's
);
-- public base.value_distance: run_no, block_no, value_no, true_no, distance_km, is_vincenty
