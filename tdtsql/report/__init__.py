"""What people look at: the HTML report, tables for papers, DET drawings.

| module   | content                                                       |
|----------|---------------------------------------------------------------|
| page     | a Report (plain data) to one self-contained HTML page         |
| gather   | a store to a Report                                           |
| tables   | comparisons and leaderboards as rows, LaTeX and markdown      |
| drawing  | DET curves as SVG and PDF (extra `plot`)                      |
"""
