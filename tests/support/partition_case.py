"""The golden cases of clusterings as one bundle."""

import json
from pathlib import Path

from bundle_file import write_bundle


def policy(text: str) -> dict[str, str]:
    return {} if text == "any" else dict(part.split("=") for part in text.split(","))


def bundle_of(folder: Path, work: Path, *, largest: int | None = None) -> tuple[Path, dict[str, list[dict]]]:
    """Return the bundle of all cases (or of those whose gold has at most so many bytes), and case -> its expected
    numbers, each with its profile.
    """
    profiles: dict[tuple, str] = {}
    conditions, runs, expected = [], [], {}
    for path in sorted(folder.glob("**/expected.json")):
        case = path.parent
        if largest is not None and next(case.glob("gold.*")).stat().st_size > largest:
            continue
        name = case.relative_to(folder).as_posix().replace("/", "-")
        rows = expected[name] = json.loads(path.read_text())
        for row in rows:
            row["profile"] = profiles.setdefault(tuple(sorted(policy(row["policy"]).items())), f"p{len(profiles)}")
        gold, system = (
            next(file for file in case.iterdir() if file.name.startswith(f"{side}.")) for side in ("gold", "system")
        )
        form = "conll" if ".conll" in gold.name else "tidy"
        condition = {"id": name, "task": "partition", "gold": gold, "gold_format": form}
        condition |= {"profile": sorted({row["profile"] for row in rows})}
        conditions.append(condition | ({"noise_label": "-1"} if "noise" in name else {}))
        runs.append({"id": "s", "condition": name, "files": [system], "format": form})
    made = {profile: {"base": "partition", **dict(key)} for key, profile in profiles.items()}
    path = write_bundle(work, corpus={"id": "k"}, profiles=made, conditions=conditions, runs=runs)
    return path, expected
