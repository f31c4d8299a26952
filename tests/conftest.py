"""Fixtures that all tests share."""

import os
from pathlib import Path

import pytest

#: the checkout's root
ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """Return the folder with other people's numbers; skip where it is absent.

    It lies beside the checkout (``../shared``) unless ``TDTSQL_SHARED`` names it.
    """
    folder = Path(os.environ.get("TDTSQL_SHARED") or ROOT.parent / "shared")
    if not (folder / "golden").is_dir():
        pytest.skip(f"no golden numbers: {folder / 'golden'} is not there (TDTSQL_SHARED names another place)")
    return folder
