/*
title:    Files of a run, of its condition and of its corpus
*/
select owner, path, kind, n_byte, sha256
from registry.input_file
where owner in ($run, $condition, $corpus)
order by owner desc, path
