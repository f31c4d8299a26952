-- Stories, topics, judgments, and the subsets numbers are conditioned on.

create table base.source_file ( -- One source file of a corpus
    corpus_no integer not null, -- corpus
    source_file_no integer not null, -- chronological number in the corpus, from 1
    source_file varchar not null, -- root name, without folder and extension
    source varchar, -- as the boundary table writes it
    language varchar, -- as the boundary table writes it
    collected_at timestamp, -- when collection began, as its file tells the time; NULL where unknown
    is_excluded integer not null, -- 1: dropped by the exclude list
    primary key (corpus_no, source_file_no)
);
-- public base.source_file: corpus_no, source_file_no, source_file, source, language, collected_at, is_excluded

create table base.story ( -- One story
    corpus_no integer not null, -- corpus
    story_no integer not null, -- dense chronological number in the corpus, from 1
    story_id varchar not null, -- docno
    source_file_no integer not null, -- source file; 0 if none
    source varchar, -- of its file, unless the story has its own
    language varchar, -- of its file, unless the story has its own
    kind varchar not null, -- document type as found (NEWS, MISCELLANEOUS, ...)
    is_news integer not null, -- 1: kind is NEWS
    begin_recid integer, -- first recid
    end_recid integer, -- last recid
    begin_sec double, -- first second
    end_sec double, -- last second
    published_at timestamp -- when it was published, to the second: of its file unless the story has its own; NULL where unknown
);
-- public base.story: corpus_no, story_no, story_id, source_file_no, source, language, kind, is_news, begin_recid
-- public base.story: end_recid, begin_sec, end_sec, published_at

create table base.topic ( -- One topic
    corpus_no integer not null, -- corpus
    topic_no integer not null, -- number in the corpus, by topic id, from 1
    topic_id varchar not null, -- topic id
    title varchar, -- title, where given
    languages varchar, -- languages it is annotated in, blank-separated
    is_multilingual integer, -- 1: annotated in several languages; NULL where unknown
    is_complete integer -- 1: annotation complete; 0: incomplete; NULL where unknown
);
-- public base.topic: corpus_no, topic_no, topic_id, title, languages, is_multilingual, is_complete

create table base.judgment ( -- One judgment of a story for a topic
    corpus_no integer not null, -- corpus
    judgment_set integer not null, -- 1, or 2 for the second set
    topic_no integer not null, -- topic
    story_no integer not null, -- story
    label varchar not null -- yes, brief or no
);
-- public base.judgment: corpus_no, judgment_set, topic_no, story_no, label

create table base.subset ( -- What numbers can be conditioned on
    condition_no integer not null, -- condition
    subset_no integer not null, -- number in the condition; 0 is all
    subset varchar not null, -- name: all, language=ENGLISH, source=NYT, day=1998-10-01, crossing=same, topics=multilingual, codec=C01, a set's heading, or several of these between commas
    kind varchar not null -- all, language, source, crossing, topics, set, day, tau, period, attribute, attribute of targets (restricts these alone), attribute of non-targets, or product
);
-- public base.subset: condition_no, subset_no, subset, kind
