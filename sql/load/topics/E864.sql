/*
what:   the periods do not rise
advice: Give the last document of each period but the last, in order.
*/
select $where as file, null as line, $cuts as value where $cuts <> list_sort(list_distinct($cuts))
