"""A software bill of materials (CycloneDX 1.6, JSON) of the installed tdtsql: its dependencies and what is bundled in
the wheel.

    python .ci/sbom.py > tdtsql.cdx.json

Made from the metadata of what is installed, so it says what runs, not what could; without times and serial numbers, so
the same environment gives the same bytes.
"""

import hashlib
import json
import re
import sys
from importlib.metadata import Distribution, distribution

#: files of others in the wheel: path in the package, name, version, licence, where from
BUNDLED: tuple[tuple[str, str, str, str, str], ...] = ()


def name_of(text: str) -> str:
    """Return a name as package indexes write it."""
    return re.sub(r"[-_.]+", "-", text).lower()


def requirements(dist: Distribution) -> list[str]:
    """Return the names of what a distribution needs here, without extras."""
    from packaging.requirements import Requirement

    found = [Requirement(text) for text in dist.requires or []]
    return sorted({name_of(one.name) for one in found if one.marker is None or one.marker.evaluate({"extra": ""})})


def closure(root: str) -> dict[str, Distribution]:
    """Return every distribution that one needs, itself too, by name."""
    found: dict[str, Distribution] = {}
    queue = [name_of(root)]
    while queue:
        name = queue.pop()
        if name not in found:
            found[name] = distribution(name)
            queue += requirements(found[name])
    return dict(sorted(found.items()))


def licences(dist: Distribution) -> list[str]:
    """Return what a distribution says of its licence: an SPDX expression, or classifiers, or its own words."""
    metadata = dist.metadata
    if expression := metadata.get("License-Expression"):
        return [expression]
    classifiers = [
        text.rpartition(" :: ")[2]
        for text in metadata.get_all("Classifier") or []
        if text.startswith("License :: ") and not text.endswith("OSI Approved")
    ]
    words = (metadata.get("License") or "").strip().split("\n")[0]
    return classifiers or ([words] if words else [])


def component(name: str, dist: Distribution) -> dict:
    """Return a distribution as a component."""
    said = licences(dist)
    is_expression = bool(dist.metadata.get("License-Expression"))
    reference = f"pkg:pypi/{name}@{dist.version}"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": dist.version,
        "purl": reference,
        "licenses": [{"expression": said[0]}] if is_expression else [{"license": {"name": text}} for text in said],
    }


def bill(root: str = "tdtsql") -> dict:
    """Return the bill of an installed distribution."""
    from importlib.resources import files

    found = closure(root)
    main = component(name_of(root), found[name_of(root)]) | {"type": "application"}
    parts = [component(name, dist) for name, dist in found.items() if name != name_of(root)]
    references = {name: f"pkg:pypi/{name}@{dist.version}" for name, dist in found.items()}
    bundled = []
    for path, name, version, licence, origin in BUNDLED:
        data = files(root).joinpath(path).read_bytes()
        bundled.append(
            {
                "type": "library",
                "bom-ref": f"pkg:npm/{name}@{version}",
                "name": name,
                "version": version,
                "purl": f"pkg:npm/{name}@{version}",
                "licenses": [{"license": {"id": licence}}],
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(data).hexdigest()}],
                "externalReferences": [{"type": "vcs", "url": origin}],
            }
        )
    needs = [
        {
            "ref": references[name],
            "dependsOn": [references[other] for other in requirements(dist)]
            + ([part["bom-ref"] for part in bundled] if name == name_of(root) else []),
        }
        for name, dist in found.items()
    ]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": main},
        "components": [*parts, *bundled],
        "dependencies": needs,
    }


if __name__ == "__main__":
    json.dump(bill(), sys.stdout, indent=1, ensure_ascii=False)
    print()
