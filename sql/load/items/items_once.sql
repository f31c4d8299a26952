/*
what: The items that files name, with the weight of each, and the least and greatest of the values of each attribute
      and of the hashes of its text.
*/
select
    item_id, any_value(weight) as weight,
    {'least': min(columns('^(a[0-9]+|content)$')), 'greatest': max(columns('^(a[0-9]+|content)$'))}
from items_row
group by item_id
