"""What a release of an evaluation holds, for a program and in words: conditions, runs, profiles, versions."""

import json
from collections.abc import Mapping
from pathlib import Path

from tdtsql.engine.duckdb import Engine
from tdtsql.errors import InvalidArchive, escape_control, counted

RELEASE, WORDS = "release.json", "RELEASE.md"
#: forms of an archive: everything; or numbers, counts and signatures without decisions and texts
WHOLE, PUBLIC = "whole", "public"

_FORMS = {
    WHOLE: "Corpora, judgments, decisions and numbers. `tdtsql archive verify` recomputes every number.",
    PUBLIC: "Public: numbers, counts and signatures, and neither decisions nor texts. `tdtsql archive verify` says "
    "how far it can be computed again.",
}


def described(engine: Engine, tag: str | None, form: str) -> dict:
    """Return the contents of a store as written to ``release.json``; the same store gives the same dictionary."""

    conditions = engine.records("""
        select condition_id as condition, task, corpus_id as corpus,
            (select count(*) from base.block as block
            where block.condition_no = condition.condition_no and block.is_scored = 1) as n_topic,
            case when is_required = 1 then 'required' else 'other' end as plan,
            condition.content_sha256 as judgments,
            (select coalesce(list(profile_id order by profile_id), []) from registry.condition_profile as chosen
            join registry.profile using (profile_no) where chosen.condition_no = condition.condition_no) as profiles,
            (select coalesce(list(run_id order by run_id), []) from registry.run
            where run.condition_no = condition.condition_no) as runs
        from registry.condition as condition join registry.corpus using (corpus_no) order by condition_id""")
    runs = engine.records("""
        select run_id as run, condition_id as condition, system, format, n_row, run.content_sha256 as run_sha256,
            (select count(*) from registry.input_file
            where owner = 'run:' || condition_id || '/' || run_id) as n_file,
            (select count(*) from registry.run_fact as fact where fact.run_no = run.run_no) as n_fact
        from registry.run join registry.condition using (condition_no) order by condition_id, run_id""")
    profiles = engine.records("""
        select profile_id as profile, base_profile as base, source from registry.profile
        where profile_no in (select profile_no from registry.condition_profile) order by profile_id""")
    corpora = engine.records(
        "select corpus_id as corpus, n_story, content_sha256 as corpus_sha256 from registry.corpus order by corpus_id"
    )
    versions = {
        "tdtsql": engine.column("select distinct tdtsql_version from ledger.computation order by 1"),
        "duckdb": engine.column("select distinct duckdb_version from ledger.computation order by 1"),
        "definitions": dict(
            engine.rows(
                """select task, sha256 from registry.task_definition where task in (select task from
                registry.condition) order by task"""
            )
        ),
    }
    n_number = engine.value("select (select count(*) from report.score) + (select count(*) from report.block_score)")
    return {
        "tag": tag,
        "form": form,
        "conditions": conditions,
        "corpora": corpora,
        "runs": runs,
        "profiles": profiles,
        "versions": versions,
        "n_number": n_number,
    }


def describe_release(release: Mapping) -> str:
    """Return what a release holds as a page."""

    lines = [
        f"# Release {release['tag']}" if release["tag"] else "# A public archive of an evaluation",
        "",
        _FORMS[release["form"]],
        "",
        f"{counted(len(release['conditions']), 'condition')}, {counted(len(release['runs']), 'run')}, "
        f"{counted(release['n_number'], 'number')}.",
        "",
        "## Conditions",
        "",
    ]
    stories = {corpus["corpus"]: corpus["n_story"] for corpus in release["corpora"]}
    for condition in release["conditions"]:
        n_story = stories[condition["corpus"]]
        over = f"corpus {condition['corpus']}" + (f" ({counted(n_story, 'story')})" if n_story else "")
        required = ", required by the plan" if condition["plan"] == "required" else ""
        lines.append(
            f"* {condition['condition']}: {condition['task']} over {over}, "
            f"{counted(condition['n_topic'], 'topic')}{required}; profiles {', '.join(condition['profiles'])}; "
            f"runs {', '.join(condition['runs']) or 'none'}; judgments {condition['judgments'][:8]}"
        )
    lines += ["", "## Runs", ""]
    for run in release["runs"]:
        system = f", system {run['system']}" if run["system"] else ""
        facts = f", {counted(run['n_fact'], 'fact')} on how it was made" if run["n_fact"] else ""
        lines.append(
            f"* {run['condition']}/{run['run']}{system}: {counted(run['n_row'], 'row')} in format {run['format']} "
            f"from {counted(run['n_file'], 'file')}{facts}; run {run['run_sha256'][:8]}"
        )
    lines += ["", "## Profiles", ""]
    for profile in release["profiles"]:
        base = f", based on {profile['base']}" if profile["base"] else ""
        lines.append(f"* {profile['profile']}{base}: {' '.join(profile['source'].split())}")
    versions = release["versions"]
    lines += [
        "",
        "## Versions",
        "",
        f"* tdtsql {', '.join(versions['tdtsql'])}; DuckDB {', '.join(versions['duckdb'])}",
    ]
    lines += [f"* definitions of {task}: {sha256}" for task, sha256 in versions["definitions"].items()]
    return escape_control("\n".join(lines) + "\n", keep="\n")


def read_release(path: Path, files: Mapping[str, bytes]) -> dict | None:
    """Return the contents that an archive declares; None if it is not a release.

    Raises:
        InvalidArchive: it cannot be read.
    """
    if RELEASE not in files:
        return None
    try:
        release = json.loads(files[RELEASE])
        if release["form"] in _FORMS and isinstance(release["tag"], str | None):
            return release
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise InvalidArchive(
        f"{path}: {RELEASE} does not say what the archive is. Name an archive that `tdtsql archive pack` wrote."
    )
