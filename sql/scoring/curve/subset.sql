/*
title:  The stored subsets of the conditions of a scope, and those that are products
*/
select condition_no, subset_no, subset, kind
from base.subset
where condition_no in (select condition_no from scope.named)
union
select condition_no, subset_no, subset, 'product'
from scope.named
anti join base.subset using (condition_no, subset_no)
