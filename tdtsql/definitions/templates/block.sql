/*
title:    {name}: say what it is
formula:  say how it is computed
source:   Our own: say why
tasks:    {task}
inputs:   {table}
grain:    run_no, block_no
columns:
    run_no     key      run
    block_no   key      block
    {name}  number of rows  what it is; NULL where it is undefined
    n_row      count    rows
metrics:
    {name}  n=n_row  best=none  {name}
edges:    say what happens in the strange cases
class:    exact
*/
select run_no, block_no, cast(count(*) as double) as {name}, count(*) as n_row
from {table}
group by run_no, block_no
