"""Cases that the summarization track's programs have scored: as bundles of ours."""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

CASES = [
    f"golden/ts/{name}"
    for name in (
        "synthetic/01_basic synthetic/02_ties synthetic/03_update_many_nuggets synthetic/04_nugget_many_updates "
        "synthetic/05_latency "
        "synthetic/06_importance synthetic/07_no_match synthetic/08_duplicates synthetic/10_unsampled "
        "synthetic/12_confidence "
        "synthetic/13_latency_fix synthetic/15_ideal_norm synthetic/16_bad_lines synthetic/17_prefix_topics "
        "synthetic/18_crash_few_events_2013 synthetic/19_crash_no_matches_event "
        "synthetic/20_crash_zero_importance_event "
        "synthetic/22_stats_many_runs synthetic/23_empty_after_filter real/2013_small real/2014_small"
    ).split()
] + ["data/ts2014"]


def toml(value):
    return json.dumps(value)


def condition(files: dict, runs: list[str], profiles: dict[str, dict], *, name: str = "c", **more) -> list[str]:
    """Return the lines of a condition, its profiles and its runs, which name files by their full paths."""
    lines = ["[[condition]]", f"id = {toml(name)}", f"task = {toml(more.pop('task', 'summarization'))}"]
    lines += [f"{key} = {toml(str(path))}" for key, path in files.items()]
    lines += [f"{key} = {toml(value)}" for key, value in more.items()]
    lines += [f"profile = {toml(list(profiles))}"]
    for profile, columns in profiles.items():
        if columns:
            lines += [f"[profile.{toml(profile)}]"] + [f"{key} = {toml(value)}" for key, value in columns.items()]
    return [*lines, "[[run]]", f"condition = {toml(name)}", f"files = {toml([str(run) for run in runs])}"]


def write(folder: Path, lines: list[str]) -> Path:
    """Write a bundle of these lines."""
    path = folder / "bundle.toml"
    path.write_text("\n".join(["[corpus]", 'id = "k"', *lines]) + "\n")
    return path


def bundle(folder: Path, files: dict, runs: list[str], profiles: dict[str, dict], **more) -> Path:
    """Write a bundle of one condition."""
    return write(folder, condition(files, runs, profiles, **more))


def bundle_of_programs(shared: Path, folder: Path, cases: Sequence[str] = CASES) -> Path:
    """Write a bundle of cases that the track's programs have scored: `CASE NUMBER` for each set of files, and a
    profile for each command line.
    """
    lines = []
    for case in cases:
        for number, ((files, runs), results) in enumerate(evaluations(shared / case).items()):
            name = f"{case} {number}"
            lines += condition(
                dict(files),
                runs,
                {f"{name} {variant}": options(result) for variant, result in enumerate(results)},
                name=name,
            )
    return write(folder, lines)


def options(result: dict) -> dict:
    """Return the profile that a command line of one of the programs means."""
    words = result["command"].split()
    profile = {"base": f"ts{result['year']}"}
    if "-b" in words:
        profile["relevance"] = "binary"
    if "-i" in words:
        profile["unpooled"] = "ignore"
    if "-t" in words:
        profile["nuggets"] = "matched"
    if "-l" in words:
        profile["latency_fix"] = {"all": "all", "updonly": "updates_only"}[words[words.index("-l") + 1]]
    return profile


def evaluations(case: Path) -> dict:
    """Return (folder, files, runs) -> results that need the same files."""
    found = defaultdict(list)
    for result in json.loads((case / "expected.json").read_text())["results"]:
        words = result["command"].split()
        folder = case / result.get("cwd", ".")
        files = {
            key: folder / words[words.index(option) + 1]
            for key, option in (("nuggets", "-n"), ("updates", "-u"), ("matches", "-m"))
        }
        if "--duplicates_file" in words and (folder / words[words.index("--duplicates_file") + 1]).exists():
            files["duplicates"] = folder / words[words.index("--duplicates_file") + 1]
        runs = tuple(folder / word for word in words if word.startswith("runs/"))
        if all(path.exists() for path in files.values()):
            found[tuple(files.items()), runs].append(result)
    return found


def write_time_sensitive(case: Path, folder: Path, year: str, name: str = "c") -> Path:
    """Write the bundle of a time-sensitive case: its windows as events, its times as tau."""
    expected = json.loads((case / "expected.json").read_text())
    topics = "".join(
        f"<event><id>{event}</id><start>{start}</start><end>{end}</end></event>"
        for event, (start, end) in expected["window"].items()
    )
    (folder / "topics.xml").write_text(f"<events>{topics}</events>")
    given = case / year
    files = {
        "nuggets": given / "nuggets.tsv",
        "updates": given / ("pooled_updates.tsv" if year == "2013" else "updates_sampled.tsv"),
        "matches": given / "matches.tsv",
        "events": folder / "topics.xml",
    }
    taus = sorted({row["tau_rel"] for row in expected["at_tau"]})
    return bundle(folder, files, sorted((given / "runs").iterdir()), {f"ts{year}": {}}, name=name, tau=taus)


def write_value_tracking(case: Path, folder: Path, name: str = "c") -> Path:
    """Write the bundle of the value tracking case."""
    return bundle(
        folder,
        {"events": case / "topics.xml"},
        [case / "runs" / "vt1.tsv"],
        {"ts-seed": {}},
        name=name,
        task="value_tracking",
    )
