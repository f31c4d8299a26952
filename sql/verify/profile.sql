/*
title:  Hash of each profile: its values, its base and its source
*/
select
    profile_id,
    sha256(string_agg(
        concat(profile_no, '|', base_profile, '|', source, '|', profile_text), chr(10) order by profile_no
    )) as sha256
from registry.profile
join ledger.profile_text using (profile_no)
group by profile_id
order by profile_id
