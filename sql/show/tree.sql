/*
title:  Where the vertices of an indented tree are drawn: rows by number from 0, children below their parent, in order
edges:  A vertex whose parent has no row is a root.
*/
with recursive

vertex as (
    select unnest($row) as name, unnest($parent) as parent, unnest(range(len($row))) as row_no
),

placed as (
    select row_no, name, 0 as depth, [row_no] as path
    from vertex
    where coalesce(parent not in (select name from vertex), true)
    union all
    select vertex.row_no, vertex.name, depth + 1, list_append(path, vertex.row_no)
    from placed
    join vertex on vertex.parent = placed.name
),

ordered as (select *, 22 * row_number() over (order by path) - 2 as y from placed)

select child.row_no, 16 + 22 * child.depth as x, child.y, coalesce(parent.y, 0) as parent_y
from ordered as child
left join ordered as parent on parent.path = child.path[:-2]
order by child.y
