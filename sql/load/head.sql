/*
what:   The first lines of TDT files that are not blank, of outputs those that are no comments; starts are the columns
        of their words f.
*/
select file, line, text, whole, f, w, list_transform(
        range(1, len(f) + 1),
        lambda n: cast(list_sum(list_transform(pieces[:n], lambda one: len(one))) as integer) - len(f[n]) + 1
    ) as starts
from (
    select *, stripped(text) as whole, words(said) as f, words(text) as w,
        regexp_extract_all(said, '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*[^\s\x0b\x1c-\x1f\x{85}\p{Z}]+') as pieces
    from (
        select *, if($is_comment, regexp_replace(text, '#', ' '), split_part(text, '#', 1)) as said from head_line
    )
)
