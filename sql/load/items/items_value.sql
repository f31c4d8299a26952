/*
what: The least and greatest values of the attributes of items (`items_once`), by the names of attributes.
*/
select item_id, attribute, said.least as value, said.greatest as other_value
from (unpivot items_once on columns('^(a[0-9]+|content)$') into name field value said)
join items_field using (field)
where attribute <> '' and said.least is not null
