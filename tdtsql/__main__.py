"""`python -m tdtsql` is `tdtsql`."""

from tdtsql.cli.main import main

main()
