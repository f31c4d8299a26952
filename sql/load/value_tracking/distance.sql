/*
what:   Distance of each location of new runs from every true one of its block, on the WGS84 ellipsoid. Where the
        iteration does not converge, for nearly antipodal points, it is NULL in vt_distance, and not stored.

Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with application of nested equations",
Survey Review 23 (176), 1975, eq. 3, 4, 6, 10, 11, 13 to 19.
*/
create or replace temp table vt_distance as
with recursive

-- in metres: the semi-axes of WGS84
ellipsoid as (
    select 6378137e0 as major, 1 / 298.257223563e0 as flattening, major * (1 - flattening) as minor
),

point_pair as (
    select run_no, said.block_no, value_no, true_no,
        atan((1 - flattening) * tan(said.latitude * (pi() / 180))) as u_1,
        atan((1 - flattening) * tan(known.latitude * (pi() / 180))) as u_2,
        sin(u_1) as sin_1, cos(u_1) as cos_1, sin(u_2) as sin_2, cos(u_2) as cos_2,
        (known.longitude - said.longitude) * (pi() / 180) as difference
    from (from base.submitted_value semi join new_run using (run_no) where longitude is not null) as said
    join (from base.true_value where condition_no = $condition) as known using (block_no)
    cross join ellipsoid
),

step as (
    select * exclude (u_1, u_2), 0 as n_step, difference as longitude, false as is_last, 0e0 as sin_sigma,
        0e0 as cos_sigma, 0e0 as sigma, 0e0 as cos_2_alpha, 0e0 as cos_2_middle
    from point_pair
    union all
    select run_no, block_no, value_no, true_no, sin_1, cos_1, sin_2, cos_2, difference, n_step + 1,
        difference + (1 - c) * flattening * sin_alpha * (
            sigma + c * sin_sigma * (cos_2_middle + c * cos_sigma * (2 * pow(cos_2_middle, 2) - 1))) as following,
        sin_sigma = 0 or abs(following - longitude) < 1e-12, sin_sigma, cos_sigma, sigma, cos_2_alpha, cos_2_middle
    from (
        select *, sin(longitude) as sin_l, cos(longitude) as cos_l,
            sqrt(pow(cos_2 * sin_l, 2) + pow(cos_1 * sin_2 - sin_1 * cos_2 * cos_l, 2)) as sin_sigma,
            sin_1 * sin_2 + cos_1 * cos_2 * cos_l as cos_sigma, atan2(sin_sigma, cos_sigma) as sigma,
            cos_1 * cos_2 * sin_l / nullif(sin_sigma, 0) as sin_alpha, 1 - pow(sin_alpha, 2) as cos_2_alpha,
            if(cos_2_alpha > 0, cos_sigma - 2 * sin_1 * sin_2 / nullif(cos_2_alpha, 0), 0) as cos_2_middle,
            flattening / 16 * cos_2_alpha * (4 + flattening * (4 - 3 * cos_2_alpha)) as c
        from (
            select run_no, block_no, value_no, true_no, sin_1, cos_1, sin_2, cos_2, difference, n_step, longitude
            from step
            where not is_last and n_step < 200
        )
        cross join ellipsoid
    )
),

-- of each pair the last step; without a difference the points are the same or opposite
reached as (
    select *, cos_2_alpha * (pow(major, 2) - pow(minor, 2)) / pow(minor, 2) as u_squared,
        1 + u_squared / 16384 * (4096 + u_squared * (-768 + u_squared * (320 - 175 * u_squared))) as a,
        u_squared / 1024 * (256 + u_squared * (-128 + u_squared * (74 - 47 * u_squared))) as b,
        b * sin_sigma * (cos_2_middle + b / 4 * (
            cos_sigma * (2 * pow(cos_2_middle, 2) - 1)
            - b / 6 * cos_2_middle * (4 * pow(sin_sigma, 2) - 3) * (4 * pow(cos_2_middle, 2) - 3))) as delta
    from step
    cross join ellipsoid
    where is_last or n_step = 200
)

select run_no, block_no, value_no, true_no,
    case when not is_last then null
        when sin_sigma = 0 then if(cos_sigma > 0, 0e0, null)
        else minor * a * (sigma - delta) / 1000 end as distance_km
from reached;

insert into base.value_distance (run_no, block_no, value_no, true_no, distance_km, is_vincenty)
select run_no, block_no, value_no, true_no, distance_km, 1
from vt_distance
where distance_km is not null
order by run_no, value_no, true_no
