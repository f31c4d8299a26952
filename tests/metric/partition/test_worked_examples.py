"""A saved query of clusters whose items are in several of them; worked examples are in tests/cases/loaded."""

from clustering_case import store_of


def test_saved_queries_of_clusters_count_items_in_several_clusters(tmp_path):
    """Three items, of two gold clusters."""
    gold = [("a", "1"), ("b", "1"), ("b", "2"), ("c", "2")]
    with store_of(tmp_path, gold, [("a", "1"), ("b", "1"), ("c", "1")]) as store:
        [row] = store.ask("merged_clusters", run="s").project("cluster_id, n_part, n_largest, n_no_gold").fetchall()

    assert row == ("1", 2, 2, 0)
