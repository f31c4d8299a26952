"""Subsets that are products of others, computed on request: ``codec=C01,gender=female``.

A product is the intersection of its subsets, of blocks and segments; for verification it has the trials with all these
attributes. An attribute that one class lacks filters the other class only. The product is stored with the condition
like its other subsets, and all runs of the condition get numbers on it.
"""

from collections.abc import Iterator, Mapping, Sequence

from tdtsql.engine.duckdb import Engine
from tdtsql.engine.quoting import sql_list
from tdtsql.errors import WrongCall
from tdtsql.store import registry
from tdtsql.store.contents import PRODUCT, PRODUCTS
from tdtsql.store.recording import note


def make_product(engine: Engine, name: str, condition: str | None = None) -> str:
    """Return the name of a subset; where it is a product of subsets and not there yet, it is made, in every condition
    that has these (or in one), unless the store is read-only.

    Raises:
        UnknownName: no condition has the subset, nor all those that it is a product of.
        WrongCall: two values of an attribute, which nothing has.
    """
    product, lacking = "", list[tuple[str, int, list[str], dict[str, int]]]()
    for condition_no, condition_id in engine.rows(
        """select condition_no, condition_id from registry.condition where ? is null or condition_id = ? order by
        condition_no""",
        [condition, condition],
    ):
        known = registry.subset_numbers(engine, condition_no)
        terms = _factors(name, {subset: number for subset, number in known.items() if subset != name})
        if name in known and not terms:
            return name
        if terms:
            product = _name(terms)
            lacking += [] if product in known else [(f"condition:{condition_id}", condition_no, terms, known)]
    if not product:
        for part in [*name.split(","), name]:  # the message names a part that is unknown
            registry.check_name(engine, "subset", part)
        return name
    if lacking and not engine.read_only:
        with engine.change():
            for owner, condition_no, terms, known in lacking:
                _write(engine, condition_no, terms, known)
                note(engine, owner, PRODUCTS)
            registry.refresh_current_inputs(engine)
    return product


def subset_cells(engine: Engine, condition_no: int, names: Sequence[str]) -> tuple[dict[str, int], str]:
    """Return the number of each of these subsets of a condition, and SQL for the cells of those products among them
    that are not stored (empty: all are).

    Raises:
        UnknownName: the condition does not have one.
        WrongCall: two values of an attribute, which nothing has.
    """
    known = registry.subset_numbers(engine, condition_no)
    numbers: dict[str, int] = {}
    cells: list[str] = []
    for name in dict.fromkeys(names):
        terms = [] if name in known else _factors(name, known)
        if terms and _name(terms) not in known:
            numbers[_name(terms)] = number = max(known.values()) + 1 + len(cells)
            of = _cells(condition_no, [known[term] for term in terms])
            cells.append(f"select {condition_no}, {number}, block_no, segment_no from ({of})")
        else:
            name = _name(terms) or name
            numbers[name] = known.get(name) or registry.subset_number(engine, condition_no, name)
    return numbers, " union all ".join(cells)


def _factors(name: str, known: Mapping[str, int]) -> list[str]:
    """Return the factors of a product that a caller names, see `_terms`.

    Raises:
        WrongCall: two are values of an attribute.
    """
    terms = _terms(name.split(","), known)
    attributes = [term.partition("=")[0] for term in terms if "=" in term]
    twice = next((one for one in attributes if attributes.count(one) > 1), None)
    if twice is not None:
        said = "nothing has two of its values. Name one of them, or ask for each as a subset of its own."
        raise WrongCall(f"subset '{name}' names {twice} twice, and {said}")
    return terms


def _name(terms: Sequence[str]) -> str:
    return ",".join(terms)


def _terms(parts: Sequence[str], known: Mapping[str, int]) -> list[str]:
    """Return the factors of a product, in the order of the condition; empty if a part is not a subset or is ``all``, or
    there is one part only. A value may contain commas.
    """
    terms: list[str] = []
    begin, factors = 0, known.keys() - {"all"}
    while begin < len(parts):
        end = next((end for end in range(len(parts), begin, -1) if ",".join(parts[begin:end]) in factors), None)
        if end is None:
            return []
        terms.append(",".join(parts[begin:end]))
        begin = end
    return sorted(set(terms), key=known.__getitem__) if len(set(terms)) > 1 else []


def _write(engine: Engine, condition_no: int, terms: Sequence[str], known: Mapping[str, int]) -> None:
    """Store a product of subsets of a condition, with curves where all of them have curves."""
    subset_no, numbers = max(known.values()) + 1, [known[term] for term in terms]
    row = [condition_no, subset_no, _name(terms), PRODUCT]
    engine.execute("insert into base.subset (condition_no, subset_no, subset, kind) values (?, ?, ?, ?)", row)
    engine.execute(
        f"""insert into base.subset_cell (condition_no, subset_no, block_no, segment_no) select {condition_no},
        {subset_no}, block_no, segment_no from ({_cells(condition_no, numbers)}) order by all"""
    )
    with_curves = f"""select count(*) = {len(numbers)} from base.curve_request where condition_no = {condition_no}
        and subset_no in ({sql_list(numbers)})"""
    if engine.value(with_curves):
        row = [condition_no, subset_no]
        engine.execute("insert into base.curve_request (condition_no, subset_no, all_points) values (?, ?, 0)", row)


def _cells(condition_no: int, subset_nos: Sequence[int]) -> str:
    """Return SQL for the cells that subsets have in common."""
    return " intersect ".join(
        f"""select block_no, segment_no from base.subset_cell where condition_no = {condition_no} and subset_no =
        {number}"""
        for number in subset_nos
    )


def product_cells(engine: Engine) -> Iterator[tuple[str, str, str]]:
    """Yield (name, SQL for the stored cells, SQL for the cells that its subsets have in common) of every product."""
    subsets: dict[int, dict[str, int]] = {}
    products: list[tuple[int, str, str, int]] = []
    for condition_no, condition_id, subset, subset_no, kind in engine.rows(
        "select condition_no, condition_id, subset, subset_no, kind from base.subset join registry.condition using "
        "(condition_no) order by all"
    ):
        if kind == PRODUCT:
            products.append((condition_no, condition_id, subset, subset_no))
        else:
            subsets.setdefault(condition_no, {})[subset] = subset_no
    for condition_no, condition_id, subset, subset_no in products:
        known = subsets.get(condition_no, {})
        terms = _terms(subset.split(","), known)
        yield (
            f"condition:{condition_id}, subset {subset}",
            f"select block_no, segment_no from base.subset_cell where condition_no = {condition_no} and subset_no = "
            f"{subset_no}",
            _cells(condition_no, [known[term] for term in terms])
            or "select block_no, segment_no from base.subset_cell limit 0",
        )
