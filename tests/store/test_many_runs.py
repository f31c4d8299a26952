"""Small runs of a task are scored together."""

from types import SimpleNamespace


from tdtsql.scoring.score import batches_of


def test_small_runs_of_a_task_are_scored_together_up_to_the_rows_of_a_batch():
    engine = SimpleNamespace(rows=lambda _: [(1, 60), (2, 40), (3, 30), (4, 20)], batch_rows=100)
    rows = [
        (1, 1, 5, "tracking"),
        (1, 2, 5, "tracking"),
        (1, 2, 6, "tracking"),
        (2, 3, 5, "tracking"),
        (3, 4, 5, "link"),
    ]

    found = [(batch.task, batch.n_row, batch.pairs) for batch in batches_of(engine, rows)]

    assert found == [
        ("tracking", 100, [(1, 5), (2, 5), (2, 6)]),
        ("tracking", 30, [(3, 5)]),
        ("link", 20, [(4, 5)]),
    ]
