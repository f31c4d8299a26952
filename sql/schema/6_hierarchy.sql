-- Hierarchies of clusters: the graph as given, and what is computed of it once, at load.

create table base.vertex ( -- One vertex of a run's hierarchy
    run_no integer not null, -- run
    vertex_no integer not null, -- number in the run, by vertex name, from 1
    vertex_id varchar not null, -- name in the file
    is_root integer not null, -- 1: the root, which holds the whole collection
    n_story bigint not null, -- distinct stories of the collection in it and below it
    n_listed bigint not null, -- stories of the collection in its own list
    n_child bigint not null, -- distinct children
    n_parent bigint not null, -- distinct parents
    depth bigint not null -- steps of the longest walk from the root
);
-- public base.vertex: run_no, vertex_no, vertex_id, is_root, n_story, n_listed, n_child, n_parent, depth

create table base.vertex_edge ( -- One link from a cluster to a smaller one
    run_no integer not null, -- run
    parent_no integer not null, -- vertex above
    child_no integer not null -- vertex below
);
-- public base.vertex_edge: run_no, parent_no, child_no

create table base.vertex_list ( -- The stories in each vertex's own list
    run_no integer not null, -- run
    vertex_no integer not null, -- vertex
    story_no integer not null -- story
);
-- public base.vertex_list: run_no, vertex_no, story_no

create table base.vertex_story ( -- Stories judged yes or brief, and every vertex that holds them, itself or through a vertex below
    run_no integer not null, -- run
    vertex_no integer not null, -- vertex
    story_no integer not null -- story
);
-- public base.vertex_story: run_no, vertex_no, story_no

create table base.vertex_travel ( -- Cost of the cheapest path from the root, with the costs of a profile
    run_no integer not null, -- run
    profile_no integer not null, -- scoring profile
    vertex_no integer not null, -- vertex
    travel double not null, -- cost units; the root has 0
    parent_no integer, -- vertex before it on that walk; of several equally cheap the first by name; NULL for the root
    n_step bigint not null -- steps of that walk; the root has 0
);
-- public base.vertex_travel: run_no, profile_no, vertex_no, travel, parent_no, n_step

create table base.travel_price ( -- The costs that base.vertex_travel was computed with
    run_no integer not null, -- run
    profile_no integer not null, -- scoring profile
    c_branch double not null, -- cost of looking over one child
    c_title double not null -- cost of opening one title
);
-- public base.travel_price: run_no, profile_no, c_branch, c_title

create table base.expected_travel ( -- Mean cost of the cheapest path between two stories of a topic, with the costs of a profile
    run_no integer not null, -- run
    profile_no integer not null, -- scoring profile
    block_no integer not null, -- topic
    expected_travel double, -- cost units; NULL for fewer than two stories
    n_pair bigint not null -- ordered pairs of different stories
);
-- public base.expected_travel: run_no, profile_no, block_no, expected_travel, n_pair
