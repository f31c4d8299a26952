/*
title:  Facts that the reproduction of runs needs and that they lack, in words, by condition
*/
with

-- one of the names suffices, or a name that begins with one and a point
needed(place, words, names) as (
    values
        (1, 'the hardware', ['platform.hardware']),
        (2, 'the operating system', ['platform.operating_system']),
        (3, 'software libraries with versions', ['platform.software']),
        (4, 'the command that made it', ['implementation.executable']),
        (5, 'the repository of the code', ['implementation.source.repository']),
        (6, 'the commit of the code', ['implementation.source.commit']),
        (
            7, 'the method with its parameters',
            ['method.retrieval', 'method.params', 'method.name', 'method.description']
        ),
        (8, 'whether it is automatic', ['method.automatic']),
        (9, 'the test collection', ['data.test_collection']),
        (10, 'training and other data', ['data.training_data', 'data.other']),
        (11, 'the research goal', ['research_goal']),
        (12, 'who made it', ['actor.name', 'actor.team']),
        (13, 'experimenter or reproducer', ['actor.role'])
),

fact as (
    select run_no, place
    from registry.run_fact
    join (select place, unnest(names) as known from needed) as needed
        on name = known or starts_with(name, known || '.')
)

select condition_id, string_agg(words, ', ' order by place) as missing
from registry.run
join registry.condition using (condition_no)
cross join needed
anti join fact using (run_no, place)
where list_contains($runs, run_no)
group by condition_id
order by condition_id
