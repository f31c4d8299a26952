/*
title:  Leaderboards as tables: a line per run, best first (after the baseline); the primary metric, then the others
*/
with

number as (select *, row_number() over () as row_no from result),

board as (
    select
        board_no, first(title order by row_no) as title, first(head order by row_no) as head,
        first(best order by row_no) as best, first(weighting_in_words order by row_no) as weighting,
        first(note order by row_no) as note, first(board_signature order by row_no) as signature,
        coalesce(string_agg(facts, '' order by row_no), '') as facts, bool_or(team <> '') as has_teams
    from number
    where place = 0
    group by board_no
),

other as (
    select board_no, place, metric, first(head) as head
    from number
    where place > 0
    group by board_no, place, metric
),

others_of_run as (
    select
        run.board_no, run.run_id, list(other.head order by other.place) as heads,
        list(
            {'metric': other.metric, 'value': number.value, 'low': number.low, 'high': number.high}
            order by other.place
        ) as cells
    from number as run
    join other using (board_no)
    left join number on number.board_no = run.board_no and number.run_id = run.run_id and number.place = other.place
    where run.place = 0
    group by run.board_no, run.run_id
),

line as (
    select
        board_no, row_number() over (order by is_baseline desc, row_no) as line_no, coalesce(heads, []) as heads,
        list_concat(
            [
                {'text': rank_text, 'is_number': true},
                {'text': name || case when is_baseline then ' (baseline)' else '' end},
                {'metric': metric, 'value': value, 'low': low, 'high': high, 'is_best': is_best = 1},
                {'text': number.group}
            ],
            case when has_teams then [{'text': coalesce(team, '')}] else [] end, coalesce(cells, []),
            [{'text': cast(n as varchar), 'is_number': true}]
        ) as cells
    from number
    join board using (board_no)
    left join others_of_run using (board_no, run_id)
    where place = 0
)

select
    list_concat(
        ['rank', 'run', head, 'group'], case when has_teams then ['team'] else [] end, first(heads), ['n']
    ) as columns,
    list(cells order by line_no) as rows,
    title || ': ranked by ' || head || ' (' || case best
        when 'lowest' then 'lower is better' when 'highest' then 'higher is better' else 'neither end is better'
    end || '), ' || weighting || '. ' || upper(note[1]) || note[2:] || case when note like '%.' then '' else '.' end
        || facts as caption,
    'tab:leaderboard-' || trim(regexp_replace(title, '[^\p{L}\p{N}]', '-', 'g'), '-') as label, signature,
    ['rank', 'run', head, 'group'] as keep
from line
join board using (board_no)
group by board_no, title, head, best, weighting, note, facts, has_teams, signature
order by board_no
