"""Comparing runs topic by topic: arrays in, numbers out, no database.

| module           | question it answers                                             |
|------------------|-----------------------------------------------------------------|
| topics           | which topics are compared, and what a missing one means         |
| paired           | is one run better than another, by how much, how surely         |
| correction       | what is left of the p values when many are looked at            |
| det              | where on the DET curve two runs differ, with a confidence band  |
| ranking          | would other topics have given another ranking                   |
| reproduction     | how well does one run reproduce another                         |

Everything drawn at random comes from `resampling` with a seed, and every
resampled sum is a sum of integers (`fixed`), so that the same seed gives the
same bits at any number of threads.
"""
