# The commands of a contributor (`just --list`). Without just: CONTRIBUTING.md writes each out.

# an environment with everything that a change needs
setup:
    python3 -m venv .venv
    .venv/bin/pip install -e '.[dev]'
    .venv/bin/pre-commit install

# the default lane of the tests: all that an ordinary change can break
test:
    .venv/bin/python -m pytest

# the full lane: what only a release or a rare change can break
full:
    .venv/bin/python -m pytest -m 'full and not engine and not browser'

# Python, types, SQL and the lock
lint:
    .venv/bin/ruff check .
    .venv/bin/ruff format --check .
    .venv/bin/mypy
    .venv/bin/codespell README.md CONTRIBUTING.md CHANGELOG.md docs tdtsql sql
    .venv/bin/python .ci/sql_style.py
    .venv/bin/python -m tdtsql.build.lock

# the documentation, in site/index.html; viewed without a network
docs:
    .venv/bin/python docs/site/build.py

# take new and unreleased definitions of sql/ into sql/versions.lock
lock:
    .venv/bin/python -m tdtsql.build.lock --write
