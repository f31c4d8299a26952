/*
title:    Every input file has a size and a sha256
severity: error
inputs:   registry.input_file
checked:  after every load
*/
select *
from registry.input_file
where n_byte < 0 or not regexp_full_match(sha256, '[0-9a-f]{64}')
