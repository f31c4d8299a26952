"""The text of a view in a store: the whole closure in one statement if parts of it are read several times.

An engine inlines a view wherever another refers to it, so a view that is referenced twice is computed twice, with its
inputs. Such a view is stored with its closure in one statement, one CTE per view: materialised if several read it,
unless its header declares it as large (filters have to reach its rows).
"""

from collections import Counter
from collections.abc import Mapping

from tdtsql.metric.catalog import Relation, closure

#: table scans of a query with all views inlined, above which the closure is one statement
MOST_SCANS = 600


def stored_texts(relations: Mapping[str, Relation]) -> dict[str, str]:
    """Return the SELECT of every view in a store, in build order."""
    read = {name: Counter(place.relation for place in relation.reads) for name, relation in relations.items()}
    texts: dict[str, str] = {}
    n_scan: dict[str, int] = {}
    for name, relation in relations.items():
        n_scan[name] = sum(times * n_scan.get(other, 1) for other, times in read[name].items())
        texts[name] = relation.body
        if n_scan[name] > MOST_SCANS:
            parts = closure(relations, [name])
            n_scan[name] = sum(sum(read[part].values()) for part in parts)
            texts[name] = _one_statement(relations, parts, read)
    return texts


def _one_statement(relations: Mapping[str, Relation], parts: list[str], read: Mapping[str, Counter[str]]) -> str:
    """Return the SELECT of the last of ``parts``, with the others as CTEs."""
    n_read = Counter[str]()
    for part in parts:
        n_read.update(read[part])
    local = {part: part.replace(".", "_") for part in parts}
    steps = []
    for part in parts:
        how = "materialized" if n_read[part] > 1 and not relations[part].header.is_large else "not materialized"
        steps.append(f"{local[part]} as {how} (\n{relations[part].reading(local)}\n)")
    columns = ", ".join(column.name for column in relations[parts[-1]].header.columns)
    steps_text = ",\n".join(steps)
    return f"with {steps_text}\nselect {columns}\nfrom {local[parts[-1]]}"
