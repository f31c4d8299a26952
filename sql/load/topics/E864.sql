/*
what:   the periods {wrong}
advice: Add document_order, and give the last document of each period but the last, in this order.
*/
select
    $where as file, null as line, $cuts as value,
    if($is_listed, 'do not rise', 'need the order of the documents, which the corpus does not have') as wrong
where $cuts <> list_sort(list_distinct($cuts))
    or len($cuts) > 0 and not $is_listed
