# nwt+bn eng mul 4
ndx/trk_70001.ndx
ndx/trk_70002.ndx
ndx/trk_70003.ndx
ndx/trk_70006.ndx
