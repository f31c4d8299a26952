"""A small ``sql`` folder of its own for every test that changes definitions."""

from pathlib import Path

import pytest

TABLES = """\
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
"""
COUNT = """\
/*
title:    Stories
source:   Our own, section 1
inputs:   base.story
grain:    story_no
columns:
    story_no  key    the story
    weight    count  its weight
class:    exact
*/
select
    story.story_no as story_no,
    story.weight as weight
from base.story as story
where story.language = 'English'
"""
COST = """\
/*
title:    Cost
source:   Our own, section 2
inputs:   base.count__v1, registry.profile
grain:    run_no, profile_no, subset_no, weighting
columns:
    profile_no  key    the profile
    c_det       cost   the cost
    n_block     count  how many
metrics:
    c_det  n=n_block  best=lowest  Cost
class:    exact
*/
select
    profile.profile_no as profile_no,
    profile.p_target * counted.weight as c_det,
    counted.weight as n_block
from base.count__v1 as counted
inner join registry.profile as profile
    on profile.profile_no = counted.story_no
"""
PROFILE = """\
profile_id = "plan"
source = "The plan, table 1"

[columns]
p_target = 0.02
c_miss = 1.0
"""


@pytest.fixture
def sql(tmp_path: Path) -> Path:
    """Return a folder with two tables, two views (cost reads count) and one profile."""
    root = tmp_path / "sql"
    for folder in ("schema", "base", "metric/small", "profile"):
        (root / folder).mkdir(parents=True)
    (root / "schema/1.sql").write_text(TABLES)
    (root / "base/count__v1.sql").write_text(COUNT)
    (root / "metric/small/cost__v1.sql").write_text(COST)
    (root / "profile/plan.toml").write_text(PROFILE)
    return root


@pytest.fixture
def edit():
    """Return a function that replaces a text, which must be there, in a file."""

    def replace(path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return replace
