"""What a store and this installation have, as tables: corpora, profiles, tasks, the ledger, a run's files, candidates
for re-annotation.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.errors import WrongCall, counted, unknown_name_error
from tdtsql.definitions.sets import IN_USE, use_all
from tdtsql.output_file import write_whole
from tdtsql.show.section import ask, find
from tdtsql.show.table import PEOPLE, Table, csv
from tdtsql.store.profiles import of_packages, shipped_profiles, stored_profiles, with_base
from tdtsql.store.registry import check_names, run_numbers
from tdtsql.task import TASKS, formats_of


# ---- corpora


def corpora(engine: Engine) -> Relation:
    """List the corpora of the store."""
    return ask(engine, find("corpora"), {})


def topics(engine: Engine, corpus_id: str) -> Relation:
    """Show the topics of CORPUS with how many stories are judged yes, brief and no."""
    return ask(engine, find("corpus_topics"), {"corpus": corpus_id})


# ---- runs


def run_details(engine: Engine, run_id: str) -> list[Table]:
    """Show the files of RUN with sizes and hashes, the warnings that were accepted, how the run was made, and missing
    provenance fields.
    """
    numbers, parts = {"runs": run_numbers(engine, run_id)}, list[Table]()
    for part in ("file", "warning", "fact"):
        found = engine.relation(read_statement(f"show/run_{part}"), numbers)
        parts.append(Table(found.columns, found.fetchall(), keep=("name", "value"), part=part))
    remarks = [
        f"{condition}/{run_id}: missing provenance: {lacking}. Add it with `tdtsql run add --meta FILE`."
        for condition, lacking in engine.rows(read_statement("explain/missing_facts"), numbers)
    ]
    return [*parts[:-1], replace(parts[-1], remarks=remarks)]


# ---- profiles and tasks


def _profiles(engine: Engine | None) -> dict[str, dict[str, object]]:
    """Return profile -> its values, those of its base included, and then its base and source: the shipped ones, then
    others of a store.
    """
    use_all()
    shipped = shipped_profiles()
    known = {
        name: {**with_base(shipped, name), "base_profile": one.get("base"), "source": one["source"]}
        for name, one in shipped.items()
    }
    return {**known, **(stored_profiles(engine) if engine else {}), **known}


def profiles(engine: Engine | None = None) -> Table:
    """List the shipped scoring profiles, and those of a store: the profile that each is based on, and its source."""
    rows = [(name, values.get("base_profile"), values["source"]) for name, values in _profiles(engine).items()]
    return Table(("profile_id", "base", "source"), rows)


def profile(name: str, engine: Engine | None = None) -> Table:
    """Show the values of profile NAME, those of its base included, with the meaning of each column."""
    known = _profiles(engine)
    if name not in known:
        raise unknown_name_error("profile", name, list(known))
    meaning = {**of_packages("meaning"), **tables()["registry.profile"].comments}
    left_out = ("base_profile", "source") if name in shipped_profiles() else ("profile_no", "profile_id")
    rows = [(column, value, meaning.get(column)) for column, value in known[name].items() if column not in left_out]
    return Table(("column", "value", "meaning"), rows, keep=("value",))


def tasks() -> Table:
    """List all tasks, and the packages that define them."""
    use_all()
    return Table(
        ("task", "primary", "formats", "default_profile", "package"),
        [
            (
                task.name,
                task.primary,
                " ".join(formats_of(task.name)),
                task.default_profile,
                f"{IN_USE[task.name].name} {IN_USE[task.name].version}" if task.name in IN_USE else "tdtsql",
            )
            for task in TASKS.values()
        ],
    )


# ---- the ledger


def entries(engine: Engine, format_: str) -> Relation:
    """List every entry: what was loaded, defined, computed and dropped.

    csv, tsv and json have the detail and the hashes of each entry, too.
    """
    more = "" if format_ in PEOPLE else ", detail, previous_sha256, sha256"
    return engine.relation(
        f"select entry_no, made_at, json_extract_string(detail, '$.by') as made_by, kind, subject{more} "
        "from ledger.entry order by entry_no"
    )


# ---- re-annotation


def adjudication(
    engine: Engine,
    *,
    condition: str | None = None,
    profile: str | None = None,
    topic: str | None = None,
    limit: Annotated[int, 0] = 100,
    output: Path | None = None,
) -> Relation | Table:
    """Print false alarms that may be annotation misses, the most probable first.

    Reasons, from the 2004 TDT plan, section 6: (a) most systems make the error,
    (b) the story was not examined, (c) the topic's annotation is incomplete, (d) the
    story and the topic have different languages, (e) a system scores it higher than
    half of its hits. Sorted by the number of reasons, then of systems, then by best rank.

    Load the corrected file with judgments_2 in the bundle, then run `tdtsql ask judgment_changes`.

    Args:
        condition: Only this condition.
        profile: Only this scoring profile.
        topic: Only this topic, or block of links.
        limit: How many candidates of each condition; 0 for all.
        output: Also write the judgments as they are, with the candidates as label no, to correct and load as
            judgments_2.
    """
    check_names(engine, condition_id=condition, profile_id=profile)
    given: dict[str, object] = {"condition": condition, "profile": profile, "topic": topic, "limit": limit}
    found = engine.relation(read_statement("show/candidates"), given)
    if output is None:
        return found
    corpora = engine.column(
        "select distinct corpus_no from registry.condition join registry.task using (task) where decides_on is "
        "distinct from 'pair' and condition_id = coalesce(?, condition_id)",
        [condition],
    )
    if len(corpora) != 1:
        raise WrongCall("--output needs the conditions of one corpus, and topics to judge. Name one with --condition.")
    rows = engine.rows(read_statement("show/correction"), given | {"corpus": corpora[0]})
    write_whole(output, csv([("topic_id", "story_id", "label"), *(row[:3] for row in rows)]).encode())
    n_added = sum(row[3] for row in rows)
    judged, added = counted(len(rows) - n_added, "judgment"), counted(n_added, "candidate")
    return Table(found.columns, found.fetchall(), remarks=[f"{output}: {judged}, {added} as no."])
