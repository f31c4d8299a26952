/*
what:   The tags of files: f are the values of the attributes that are read, c the columns of the tag and of them.
*/
select file, line, place, ltrim(element, '/') as element, starts_with(element, '/') as is_closing,
    string_split(said, chr(0)) as f, cast(string_split(places, ' ') as integer[]) as c
from tag_text
