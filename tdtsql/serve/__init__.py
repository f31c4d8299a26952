"""The web UI (`tdtsql serve`, extra `serve`): browse a store, read-only; all view state is in the URL.

| module   | content                                                                   |
|----------|---------------------------------------------------------------------------|
| app      | requests and responses: allowed hosts, time limits, headers, downloads    |
| server   | the open store, a connection per request                                  |
| pages    | lists of sections for a parameter, the SQL page, the saved queries         |
"""
