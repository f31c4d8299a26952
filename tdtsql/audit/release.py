"""What a release of an evaluation holds, for a program and in words: conditions, runs, profiles, versions."""

import json
from collections.abc import Mapping
from pathlib import Path

from tdtsql.definitions.catalogue import read_statement
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
    return {"tag": tag, "form": form} | engine.records(read_statement("archive/release"))[0]


def describe_release(release: Mapping) -> str:
    """Return what a release holds as a page."""

    n_withdrawn = sum(run["withdrawn"] is not None for run in release["runs"])
    lines = [
        f"# Release {release['tag']}" if release["tag"] else "# A public archive of an evaluation",
        "",
        _FORMS[release["form"]],
        "",
        f"{counted(len(release['conditions']), 'condition')}, {counted(len(release['runs']), 'run')}"
        f"{f' ({n_withdrawn} withdrawn)' if n_withdrawn else ''}, {counted(release['n_number'], 'number')}.",
        "",
        "## Conditions",
        "",
    ]
    stories = {corpus["corpus"]: corpus["n_story"] for corpus in release["corpora"]}
    for condition in release["conditions"]:
        n_story = stories[condition["corpus"]]
        of_stories = f" ({counted(n_story, 'story')})" if n_story else ""
        lines.append(
            f"* {condition['condition']}: {condition['task']} over corpus {condition['corpus']}"
            f"{of_stories}, {counted(condition['n_topic'], 'topic')}"
            f"{', required by the plan' if condition['plan'] == 'required' else ''}; profiles "
            f"{', '.join(condition['profiles'])}; runs {', '.join(condition['runs']) or 'none'}; judgments "
            f"{condition['judgments'][:8]}"
        )
    withdrawn = ["", "## Withdrawn runs", "", "Their numbers are here; they have no rank.", ""] if n_withdrawn else []
    lines += ["", "## Runs", ""]
    for run in release["runs"]:
        system = f", system {run['system']}" if run["system"] else ""
        facts = f", {counted(run['n_fact'], 'fact')} on how it was made" if run["n_fact"] else ""
        line = (
            f"* {run['condition']}/{run['run']}{system}: "
            f"{counted(run['n_row'], 'row')} in format {run['format']} from {counted(run['n_file'], 'file')}{facts}; "
            f"run {run['run_sha256'][:8]}"
        )
        if run["withdrawn"] is None:
            lines.append(line)
        else:
            withdrawn.append(f"{line}; withdrawn: {' '.join(run['withdrawn'].split())}")
    lines += [*withdrawn, "", "## Profiles", ""]
    for profile in release["profiles"]:
        base = f", based on {profile['base']}" if profile["base"] else ""
        lines.append(f"* {profile['profile']}{base}: {' '.join(profile['source'].split())}")
    versions = release["versions"]
    lines += ["", "## Versions", ""]
    lines.append(f"* tdtsql {', '.join(versions['tdtsql'])}; DuckDB {', '.join(versions['duckdb'])}")
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
