create table registry.profile ( -- Profiles
    profile_no integer primary key, -- key
    p_target double, -- prior
    c_miss double -- cost
);

create table base.story ( -- Stories
    story_no integer not null, -- key
    weight decimal(38, 0), -- weight
    language varchar -- language
);
