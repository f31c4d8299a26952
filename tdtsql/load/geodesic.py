"""Distance of two points on the WGS84 ellipsoid.

Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid
with application of nested equations", Survey Review 23 (176), 1975, eq. 3, 4,
6, 10, 11, 13 to 19. It does not converge for nearly antipodal points; there the
distance is C. F. F. Karney's, "Algorithms for geodesics", 2013.
"""

from math import atan, atan2, cos, radians, sin, sqrt, tan
from typing import NamedTuple

from geographiclib.geodesic import Geodesic

_MAJOR = 6378137.0  #: semi-major axis of WGS84, metres
_FLATTENING = 1 / 298.257223563
_MINOR = _MAJOR * (1 - _FLATTENING)
_PRECISION = 1e-12  #: radians of longitude
_MOST_STEPS = 200


class Distance(NamedTuple):
    km: float
    is_vincenty: bool  #: False: Karney's, because Vincenty's formula does not converge


def distance(latitude_1: float, longitude_1: float, latitude_2: float, longitude_2: float) -> Distance:
    """Return the length of the geodesic between two points given in degrees."""
    km = vincenty(latitude_1, longitude_1, latitude_2, longitude_2)
    if km is not None:
        return Distance(km, True)
    return Distance(Geodesic.WGS84.Inverse(latitude_1, longitude_1, latitude_2, longitude_2)["s12"] / 1000, False)


def vincenty(latitude_1: float, longitude_1: float, latitude_2: float, longitude_2: float) -> float | None:
    """Return the distance in kilometres, or None where the iteration does not converge."""
    u_1 = atan((1 - _FLATTENING) * tan(radians(latitude_1)))
    u_2 = atan((1 - _FLATTENING) * tan(radians(latitude_2)))
    sin_1, cos_1, sin_2, cos_2 = sin(u_1), cos(u_1), sin(u_2), cos(u_2)
    difference = radians(longitude_2 - longitude_1)
    longitude = difference
    for _ in range(_MOST_STEPS):
        sin_l, cos_l = sin(longitude), cos(longitude)
        sin_sigma = sqrt((cos_2 * sin_l) ** 2 + (cos_1 * sin_2 - sin_1 * cos_2 * cos_l) ** 2)
        if sin_sigma == 0:
            return 0.0 if cos_1 * cos_2 * cos_l + sin_1 * sin_2 > 0 else None
        cos_sigma = sin_1 * sin_2 + cos_1 * cos_2 * cos_l
        sigma = atan2(sin_sigma, cos_sigma)
        sin_alpha = cos_1 * cos_2 * sin_l / sin_sigma
        cos_2_alpha = 1 - sin_alpha**2
        cos_2_middle = cos_sigma - 2 * sin_1 * sin_2 / cos_2_alpha if cos_2_alpha > 0 else 0.0
        c = _FLATTENING / 16 * cos_2_alpha * (4 + _FLATTENING * (4 - 3 * cos_2_alpha))
        before = longitude
        longitude = difference + (1 - c) * _FLATTENING * sin_alpha * (
            sigma + c * sin_sigma * (cos_2_middle + c * cos_sigma * (2 * cos_2_middle**2 - 1))
        )
        if abs(longitude - before) < _PRECISION:
            break
    else:
        return None
    u_squared = cos_2_alpha * (_MAJOR**2 - _MINOR**2) / _MINOR**2
    a = 1 + u_squared / 16384 * (4096 + u_squared * (-768 + u_squared * (320 - 175 * u_squared)))
    b = u_squared / 1024 * (256 + u_squared * (-128 + u_squared * (74 - 47 * u_squared)))
    delta = (
        b
        * sin_sigma
        * (
            cos_2_middle
            + b
            / 4
            * (
                cos_sigma * (2 * cos_2_middle**2 - 1)
                - b / 6 * cos_2_middle * (4 * sin_sigma**2 - 3) * (4 * cos_2_middle**2 - 3)
            )
        )
    )
    return _MINOR * a * (sigma - delta) / 1000
