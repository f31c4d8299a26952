"""A view reads its own layer or the one below; ``registry`` is open from base upwards."""

from each import of_each

from tdtsql.definitions.catalogue import catalog


RELATIONS = catalog()

#: what each layer may read; report joins names (base) to what is kept (ledger)
MAY_READ = {
    "staging": {"staging"},
    "base": {"base", "staging", "registry"},
    "metric": {"metric", "base", "registry"},
    "report": {"report", "metric", "ledger", "registry", "base"},
    "ledger": {"ledger", "registry", "base"},
    "registry": {"registry", "base"},  # names of metrics that conditions make
}


@of_each(RELATIONS.values())
def test_reads_its_own_layer_or_the_one_below(relation):
    assert relation.schema in MAY_READ, f"{relation.place}: views live in {', '.join(MAY_READ)}"
    for name in relation.header.inputs:
        layer = name.split(".")[0]
        if relation.header.is_external and layer == "ledger":
            continue  # it returns a stored result
        assert layer in MAY_READ[relation.schema], (
            f"{relation.place}: a {relation.schema} view may not read {name}; only "
            f"{', '.join(sorted(MAY_READ[relation.schema]))}"
        )


@of_each(relation for relation in RELATIONS.values() if relation.schema == "report")
def test_report_reads_only_names_from_base(relation):
    """No scoring below the metric layer: of base a report takes dimension tables."""
    views = [name for name in relation.header.inputs if name.startswith("base.") and "__v" in name]

    assert not views, f"{relation.place}: read {', '.join(views)} through a metric view"


@of_each(relation for relation in RELATIONS.values() if relation.schema == "report")
def test_report_of_kept_results_shows_current_ones_only(relation):
    """One view says what is current and what its run, condition and profile are called; what is external has a row
    for the other runs too.
    """
    kept = [name for name in relation.header.inputs if name.startswith("ledger.result_")]
    named = {"ledger.computation", *([] if relation.header.is_external else ["registry.run"])} & set(
        relation.header.inputs
    )

    assert not kept or ("ledger.current_computation" in relation.header.inputs and not named), (
        f"{relation.place}: join {kept[0]} to ledger.current_computation, which has the names; not to "
        f"{', '.join(sorted(named)) or 'nothing'}"
    )
