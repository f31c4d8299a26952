"""The web UI (`tdtsql serve`, extra `serve`): browse a store, read-only; all view state is in the URL.

| module   | content                                                                   |
|----------|---------------------------------------------------------------------------|
| app      | requests and responses: allowed hosts, time limits, headers, errors       |
| server   | the open store, a connection per request, cached results                  |
| download | results as CSV, JSON and Parquet                                          |

and one module per page: overview, run, topic, number, metric, compare, query, cookbook, ledger.
"""
