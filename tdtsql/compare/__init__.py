"""Comparing runs topic by topic: arrays in, numbers out, no database.

| module           | content                                                               |
|------------------|-----------------------------------------------------------------------|
| topics           | compared topics, and the policies for missing ones                    |
| paired           | difference of two runs, its interval and its p value                  |
| correction       | correction of p values for multiple comparisons                       |
| ranking          | stability of a ranking over resampled topics                          |

Everything drawn at random comes from `resampling` with a seed, and every
resampled sum is a sum of integers (`fixed`), so that the same seed gives
bitwise identical results at any number of threads.
"""
