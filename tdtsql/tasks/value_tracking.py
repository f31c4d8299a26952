"""Value tracking: numbers and places of an event over time."""

from tdtsql.tasks.declaration import EXCLUDE, Task, built_in

PACKAGE = built_in(
    Task(
        name="value_tracking",
        position=7,
        families=("value_tracking",),
        primary="ee",
        best="lowest",
        summary=("ee",),
        official_is_tsv=True,
        run_table="base.submitted_value",
        blocks="attribute",
        default_profile="ts-seed",
        keys={**EXCLUDE, "events": "file"},
        has_second_judgments=False,
    ),
)
