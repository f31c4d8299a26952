# The six commands of a contributor (`just --list`). Without just: CONTRIBUTING.md writes each out.

# an environment with everything that a change needs
setup:
    python3 -m venv .venv
    .venv/bin/pip install -e '.[dev]'
    .venv/bin/pre-commit install

# the default lane of the tests: all that an ordinary change can break
test:
    .venv/bin/python -m pytest

# what the default lane leaves out: what a release or a rare change can break
full:
    .venv/bin/python -m pytest -m 'full and not engine and not browser'

# what a machine can say of the text: Python, types of the public interface, SQL
lint:
    .venv/bin/ruff check .
    .venv/bin/mypy
    .venv/bin/python -m pytest -q -n 0 tests/contract/test_sql_style.py

# the documentation, in site/index.html; looked at without network
docs:
    .venv/bin/python docs/site/build.py

# take new and unreleased definitions of sql/ into sql/versions.lock
lock:
    .venv/bin/python -m tdtsql.metric.lock --write
