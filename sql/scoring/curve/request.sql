/*
title:  The subsets of a scope whose curves are computed
*/
select condition_no, subset_no, all_points from scope.named
