"""Where things lie in the checkout."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE, FIXTURES = ROOT / "tdtsql", ROOT / "fixtures"
EXAMPLE, BAGGA = FIXTURES / "example", FIXTURES / "bagga" / "bundle.toml"
MALFORMED = FIXTURES / "malformed"
#: the smallest bundle of official files
SMALL = MALFORMED / "bundle" / "base_tdt" / "bundle.toml"
