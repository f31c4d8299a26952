-- Rows of the official files as found, each with its file and line. No joins, no opinions.
-- Decision files go straight into base; of them the file is recorded (registry.input_file) and every row with a problem.

create table staging.boundary ( -- Stories of boundary tables
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    file_id varchar, -- fileid of the table
    docno varchar not null, -- docno
    doctype varchar not null, -- doctype
    begin_sec double, -- Bsec
    end_sec double, -- Esec
    begin_recid bigint, -- Brecid
    end_recid bigint -- Erecid
);

create table staging.on_topic ( -- Rows of topic relevance tables
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar not null, -- topicid
    level varchar not null, -- level
    docno varchar not null, -- docno
    file_id varchar -- fileid
);

create table staging.source_info ( -- Rows of auxiliary information indexes
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    source_file varchar not null, -- source file
    source varchar not null, -- source
    language varchar not null, -- language
    date varchar not null -- when collection began
);

create table staging.subset_file ( -- Source files of subset and exclude lists
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    title varchar not null, -- title of the set
    heading varchar not null, -- heading of the set
    source_file varchar not null -- source file
);

create table staging.index_name ( -- Index files that control files and index lists name
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    name varchar not null -- as written
);

create table staging.index_file ( -- Source files of index files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar, -- topic of the index
    source_file varchar not null, -- source file
    begin_position double not null -- where processing begins
);

create table staging.training_story ( -- Training stories of index files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar, -- topic of the index
    docno varchar not null, -- docno
    source_file varchar not null -- source file
);

create table staging.index_pair ( -- Story pairs of link index files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    story_id_1 varchar not null, -- first story
    story_id_2 varchar not null -- second story
);

create table staging.link_key ( -- Rows of link key files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    story_id_1 varchar not null, -- first story
    story_id_2 varchar not null, -- second story
    kind varchar not null, -- TARGET, NONTARGET or OTHER
    block_id varchar not null -- block
);

create table staging.tidy_story ( -- Rows of tidy stories files
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    story_id varchar not null, -- story
    position bigint not null, -- rank in time
    source_file varchar, -- source file
    source varchar, -- source
    language varchar, -- language
    kind varchar -- kind of document
);

create table staging.tidy_topic ( -- Rows of tidy topics files
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar not null, -- topic
    title varchar, -- title
    languages varchar -- languages it is annotated in
);

create table staging.tidy_judgment ( -- Rows of tidy judgments files
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar not null, -- topic
    story_id varchar not null, -- story
    label varchar not null -- yes, brief or no
);

create table staging.tidy_pair ( -- Rows of tidy trials and training files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar not null, -- topic
    story_id varchar not null -- story
);

create table staging.qrel ( -- Rows of TREC qrels
    owner varchar not null, -- corpus:ID
    path varchar not null, -- file
    line bigint not null, -- line
    topic_id varchar not null, -- topic
    document_id varchar not null, -- document
    grade bigint not null -- relevance grade
);

create table staging.nugget ( -- Rows of nuggets files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    event varchar not null, -- event
    nugget varchar not null, -- nugget
    time bigint not null, -- seconds since 1970
    importance double not null, -- importance
    length bigint not null, -- length, in the file's unit
    text varchar not null -- text
);

create table staging.update ( -- Rows of pooled or sampled updates files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    event varchar not null, -- event
    update_id varchar not null, -- update
    length bigint not null, -- length, in the file's unit
    duplicate varchar not null, -- update it repeats; empty for none
    text varchar not null -- text
);

create table staging.match ( -- Rows of matches files
    owner varchar not null, -- condition:ID
    path varchar not null, -- file
    line bigint not null, -- line
    event varchar not null, -- event
    update_id varchar not null, -- update
    nugget varchar not null, -- nugget
    begin_offset bigint, -- first character of the span
    end_offset bigint -- character after the span
);
