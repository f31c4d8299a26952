"""What a miss weighs on a board's corpus: the corpus table, the histogram of P(rel), the price of one threshold."""

from tdtsql.report.comparing import Rows
from tdtsql.report.page import Board

#: columns of report.corpus_table, and what the page calls them
CORPUS_TABLE = {
    "n_topic": "topics",
    "n_topic_empty": "of these, without targets",
    "mean_train_story": "stories before the test set, average",
    "mean_test_story": "test stories, average",
    "mean_n_train": "training stories on topic, average",
    "mean_n_test": "targets, average",
    "max_n_test": "targets, most",
    "min_n_test": "targets, fewest",
    "topic_per_story": "topics per labelled story",
    "p_rel": "P(rel)",
    "rho": "rho",
    "nominal_ratio": "false alarms a miss is meant to weigh",
    "exact_ratio": "false alarms a miss weighs",
    "exact_ratio_at_max": "the same, at the largest topic",
    "exact_ratio_at_min": "the same, at the smallest topic",
}


def weight_of(store: Rows, index: int, board: Board) -> dict | None:
    """Return the corpus table, the bins and the prices of a board; None where its task has no such numbers."""
    where = [board.condition, board.profile]
    table = store.rows(
        f"select {', '.join(CORPUS_TABLE)} from report.corpus_table where condition_id = ? and profile_id = ?", where
    )
    if not table:
        return None
    bins = store.rows(
        "select lower, upper, n_topic from report.p_rel_histogram where condition_id = ? and profile_id = ? order by "
        "bin_no",
        where,
    )
    prices = store.rows(
        "select run_id, prior, n_block, threshold, cost_norm, own_cost_norm, price from report.common_threshold "
        "where condition_id = ? and profile_id = ? and n_block > 0 order by run_id, prior",
        where,
    )
    return {
        "board": index,
        "bins": [list(row) for row in bins],
        "prices": [list(row) for row in prices],
        "corpus": list(zip(CORPUS_TABLE.values(), table[0], strict=True)),
    }
