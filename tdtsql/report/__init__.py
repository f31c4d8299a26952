"""Results for readers: tables in every format, charts, the HTML report.

| module      | content                                                                        |
|-------------|--------------------------------------------------------------------------------|
| tables      | the writer of rows: CSV, TSV, JSON, Markdown, LaTeX, text (layout: widths)     |
| results     | relations that are tables too: runs x metrics, comparisons, leaderboards       |
| leaderboard | runs by the primary metric, intervals, significance groups                     |
| comparing   | runs of a store to a comparison; variants: topics, ranks       |
| charts      | charts as SVG (templates); figure: DET curves as SVG and PDF (extra `plot`)    |
| sections    | the templates of report, web UI, gate and notebooks                            |
| gather      | a store to a Report; curves: the part that is drawn                            |
| page, write | a Report to one self-contained HTML file                                       |
| verifying   | the way back from the signature of a number or a comparison                    |
"""
