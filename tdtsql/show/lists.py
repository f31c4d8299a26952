"""What a store and this installation have, as tables: corpora, profiles, tasks, the ledger, a run's files, candidates
for re-annotation.
"""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tdtsql.definitions.catalogue import read_statement
from tdtsql.definitions.table import tables
from tdtsql.engine.duckdb import Engine, Relation
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import WrongCall, counted, unknown_name_error
from tdtsql.definitions.sets import IN_USE, use_all
from tdtsql.output_file import write_whole
from tdtsql.show.section import ask, find
from tdtsql.show.table import PEOPLE, Table, csv
from tdtsql.store.profiles import of_packages, shipped_profiles, with_base
from tdtsql.store.registry import check_names, run_numbers
from tdtsql.task import TASKS


# ---- corpora


def corpora(engine: Engine) -> Relation:
    """List the corpora of the store."""
    return ask(engine, find("corpora"), {})


def topics(engine: Engine, corpus_id: str) -> Relation:
    """Show the topics of CORPUS with how many stories are judged yes, brief and no."""
    return ask(engine, find("corpus_topics"), {"corpus": corpus_id})


def _of_conditions(engine: Engine, view: str, corpus_id: str | None, order: str) -> Relation:
    """Return the rows of a view on the conditions of a corpus; None: on all."""
    check_names(engine, corpus_id=corpus_id)
    return engine.relation(
        f"select * from report.{view} where condition_id in (select condition_id from registry.condition join "
        f"registry.corpus using (corpus_no) where corpus_id = coalesce($corpus, corpus_id)) order by {order}",
        {"corpus": corpus_id},
    )


def corpus_conditions(engine: Engine, corpus_id: str | None = None) -> Relation:
    """List the evaluation conditions of CORPUS, or of all, with their parameters.

    Column `plan`: required by the 2004 TDT plan (required), or optional (other).
    """
    return _of_conditions(engine, "condition", corpus_id, "condition_id")


def corpus_cost(engine: Engine, corpus_id: str, *, topics: bool = False, histogram: bool = False) -> Relation:
    """Show the effective cost ratio on CORPUS.

    For every condition and profile: topics, stories and targets, the probability of relevance, and how
    many false alarms cost as much as one miss, given the fixed prior.

    Args:
        topics: The ratios of every topic instead.
        histogram: The histogram of P(rel) over the topics instead.
    """
    view, *more = (
        ["topic_ratio", "block_id"] if topics else ["p_rel_histogram", "bin_no"] if histogram else ["corpus_table"]
    )
    return _of_conditions(engine, view, corpus_id, ", ".join(["condition_id", "profile_id", *more]))


# ---- runs


def run_details(engine: Engine, run_id: str, format_: str) -> list[Table]:
    """Show the files of RUN with sizes and hashes, the warnings that were accepted, how the run was made, and missing
    provenance fields.
    """
    numbers = run_numbers(engine, run_id)
    mine = f"""
        with mine as (select run_no, condition_id, 'run:' || condition_id || '/' || run_id as owner
            from registry.run join registry.condition using (condition_no) where run_no in ({sql_list(numbers)}))"""
    # full hashes do not fit in the table with their names
    value = "if(ends_with(name, '_sha256'), left(value, 16), value) as value" if format_ == "table" else "value"
    queries = {
        "file": """select owner, kind, path, n_byte, n_problem, sha256 from registry.input_file
            where owner in (select owner from mine) order by owner, path""",
        "warning": """select code, path, line, column_no, message, value from registry.problem
            where owner in (select owner from mine) order by path, line, code""",
        "fact": f"""select condition_id, name, {value}, path from registry.run_fact join mine using (run_no)
            order by condition_id, fact_no""",
    }
    found = {name: engine.relation(f"{mine} {query}") for name, query in queries.items()}
    remarks = [
        f"{condition}/{run_id}: missing provenance: {lacking}. Add it with `tdtsql run add --meta FILE`."
        for condition, lacking in engine.rows(read_statement("explain/missing_facts"), {"runs": numbers})
    ]
    parts = [Table(one.columns, one.fetchall(), keep=("value",), part=name) for name, one in found.items()]
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
    for row in engine.records("select * from registry.profile order by profile_no") if engine else ():
        known.setdefault(row["profile_id"], {name: value for name, value in row.items() if value is not None})
    return known


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
                " ".join(task.formats),
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
    effect: bool = False,
) -> Relation | Table:
    """Print false alarms that may be annotation misses, the most probable first.

    Reasons, from the 2004 TDT plan, section 6: (a) most systems make the error,
    (b) the story was not examined, (c) the topic's annotation is incomplete, (d) the
    story and the topic have different languages, (e) a system scores it higher than
    half of its hits. Sorted by the number of reasons, then of systems, then by best rank.

    Load the corrected file with judgments_2 in the bundle, then run --effect.

    Args:
        condition: Only this condition.
        profile: Only this scoring profile.
        topic: Only this topic, or block of links.
        limit: How many candidates of each condition; 0 for all.
        output: Also write the judgments as they are, with the candidates as label no, to correct and load as
            judgments_2.
        effect: Instead: every number before and after the second judgment set.
    """
    check_names(engine, condition_id=condition, profile_id=profile)
    given: dict[str, object] = {"condition": condition, "profile": profile}
    where = "condition_id = coalesce($condition, condition_id) and profile_id = coalesce($profile, profile_id)"
    if effect:
        effects = engine.relation(f"select * from report.judgment_effect where {where} order by all", given)
        rows = effects.fetchall()
        none = "No second judgments (judgments_2 of the corpus): there is nothing to compare with."
        return Table(effects.columns, rows, remarks=[] if rows else [none])
    found = engine.relation(
        f"select * from report.adjudication where {where} and block_id = coalesce($topic, block_id) "
        "and ($limit = 0 or place <= $limit) order by condition_id, profile_id, place",
        {**given, "topic": topic, "limit": limit},
    )
    if output is None:
        return found
    corpora = engine.column(
        "select distinct corpus_no from registry.condition join registry.task using (task) where decides_on is "
        "distinct from 'pair' and condition_id = coalesce(?, condition_id)",
        [condition],
    )
    if len(corpora) != 1:
        raise WrongCall("--output needs the conditions of one corpus, and topics to judge. Name one with --condition.")
    given |= {"topic": topic, "limit": limit, "corpus": corpora[0]}
    rows = engine.rows(read_statement("show/correction"), given)
    write_whole(output, csv([("topic_id", "story_id", "label"), *(row[:3] for row in rows)]).encode())
    n_added = sum(row[3] for row in rows)
    judged, added = counted(len(rows) - n_added, "judgment"), counted(n_added, "candidate")
    return Table(found.columns, found.fetchall(), remarks=[f"{output}: {judged}, {added} as no."])
