/*
what:   the location is off the globe
advice: Latitudes go from -90 to 90, longitudes from -180 to 180.
*/
select file, line, value
from read_values
where event_id is not null and latitude is not null and longitude is not null
    and (abs(latitude) > 90 or abs(longitude) > 180)
