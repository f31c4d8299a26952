"""The desk in the browser (`tdtsql serve`, extra `serve`): a store to look into, read-only, each state an address.

| module   | content                                                                   |
|----------|---------------------------------------------------------------------------|
| app      | requests in, answers out: who may ask, time limits, headers, errors       |
| desk     | the open store, a connection for each request, what is worth keeping      |
| markup   | HTML of values that are never markup, addresses, tables, the frame        |
| download | answers as CSV, JSON and Parquet                                          |

and a module a page: overview, run, topic, number, metric, compare, query, cookbook, ledger.
"""
