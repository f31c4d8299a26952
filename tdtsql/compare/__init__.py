"""Comparing runs: one resampling engine, and its results as rows of the store.

| module     | content                                                                              |
|------------|--------------------------------------------------------------------------------------|
| resample   | draws of topics, items and clusters; intervals, p values                             |
| trials     | statistics of scored trials, their draws, tests in closed form                       |
| settings   | names and options of a call, and what is used where it names nothing                 |
| units      | what is compared, read as arrays: topics, items, clusters, scored trials             |
| rows       | comparisons and intervals of a store: what is missing is computed, the rest is read  |
| words      | a comparison as rows with corrected p values, groups, captions and notes             |
| ranking    | stability of a ranking over resampled topics                                         |
"""
