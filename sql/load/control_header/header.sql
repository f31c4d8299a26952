/*
what:   What the first lines of control files say.
*/
select *, starts_with(whole, '#') as is_comment, if(is_comment, line, 0) as skip,
    is_comment and len(f) = 4 as is_header, upper(f[4]) as nt_said,
    case when is_header and nt_said in ('1', '2', '4', '8', '16', 'V') then nt_said end as nt,
    case when is_header then f[2] end as training_language
from head
