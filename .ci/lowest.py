"""Constraints for pip that pin every dependency of pyproject.toml to its lower bound: `pip install -c FILE '.[test]'`
then takes the oldest that are allowed.

python .ci/lowest.py [EXTRA...] > lowest.txt
"""

import re
import sys
import tomllib
from pathlib import Path


def lowest(project: dict, extras: list[str]) -> list[str]:
    """Return name==version for the core dependencies and those of some extras, extras of our own within them too."""
    wanted = list(project["dependencies"])
    queue, seen = list(extras), set()
    while queue:
        extra = queue.pop()
        if extra in seen:
            continue
        seen.add(extra)
        for entry in project["optional-dependencies"][extra]:
            own = re.fullmatch(r"tdtsql\[([\w,]+)\]", entry)
            if own:
                queue += own[1].split(",")
            else:
                wanted.append(entry)
    found: dict[str, str] = {}
    for entry in wanted:
        match = re.match(r"([A-Za-z0-9_.-]+)(?:\[[\w,]+\])?>=([\w.]+)", entry)
        if match is None:
            raise SystemExit(f"{entry}: has no lower bound (name>=version)")
        found.setdefault(match[1], match[2])
    return [f"{name}=={version}" for name, version in sorted(found.items())]


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[1]
    print(
        "\n".join(lowest(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"], sys.argv[1:]))
    )
