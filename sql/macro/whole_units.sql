/*
title:    A number as whole units of 1 / scale
formula:  floor(x * scale + 1/2)
source:   Our own: sums of whole numbers are bitwise identical for any number of threads and any order of rows, sums of
          doubles do not
exact:    A decimal of 38 digits holds any count of such values that fits on a disk. The rounding is half up, at most
          0.5 / scale a value; floor and the product are the same on every engine.
edges:    NULL stays NULL. |x| * scale stays below 2^63 (an engine floors to BIGINT): 1e15 for rates and costs, 1e18 for
          gains and rates of summarization, 1e12 for numbers that may be larger.
*/
create macro whole_units(x, scale := 1e15) as
    cast(floor(x * scale + 5e-1) as decimal(38, 0))
