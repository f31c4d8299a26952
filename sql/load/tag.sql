/*
what:   The tags of files: f are the values of the attributes that are read.
*/
select file, line, place, at_column, ltrim(element, '/') as element, starts_with(element, '/') as is_closing,
    string_split(said, chr(0)) as f
from tag_text
