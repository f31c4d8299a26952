"""What the contracts share."""

import pytest
from syntax import nodes


@pytest.fixture(scope="package", autouse=True)
def _syntax_trees_go_with_the_last_contract():
    yield
    nodes.cache_clear()  # 100 MB
