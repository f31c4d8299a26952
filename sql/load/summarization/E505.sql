/*
what:   the importance is outside 0 to 3
advice: Grade from 0 (none) to 3 (high), or score with a profile whose program takes it.
*/
-- relevance grows exponentially with importance: beyond 40 its sums cannot be held, and below -15 it is lost against
-- others where it counts; the programs of 2014 and 2015 drop what is 0 or less
select file, line, importance as value
from read_nuggets
where importance not between 0 and 3 and invalid = 0
    and ($program is null or importance > 40 or $program = 'ts2013' and importance < -15)
