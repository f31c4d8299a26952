/*
Kinds of values: each macro is the value of a text, NULL where the text is not valid.

Blanks are what Python's strip and split take for one. A macro is written out where it is called; its parameter is
called text.
*/

-- a printable letter of ASCII at the beginning needs no expression
create macro is_blank(text) as
    case when text >= '!' and text < chr(127) then false
        else coalesce(regexp_full_match(text, '[\s\x0b\x1c-\x1f\x{85}\p{Z}]*'), true) end;

-- nothing is to be done where the first and the last letter are printable ASCII
create macro stripped(text) as
    case when text >= '!' and text < chr(127) and text[-1] between '!' and '~' then text
        else regexp_replace(text, '^[\s\x0b\x1c-\x1f\x{85}\p{Z}]+|[\s\x0b\x1c-\x1f\x{85}\p{Z}]+$', '', 'g') end;

create macro as_id(text) as
    case when text >= '!' and text < chr(127) and text[-1] between '!' and '~' then text
        when text <> '' and not regexp_matches(text, '^[\s\x0b\x1c-\x1f\x{85}\p{Z}]|[\s\x0b\x1c-\x1f\x{85}\p{Z}]$')
            then text end;

-- any text; a unit separator begins what was no text
create macro as_written(text) as
    case when text >= '!' and text < chr(127) then text
        when not is_blank(text) and not starts_with(text, chr(31)) then text end;

create macro as_text(text) as nullif(stripped(text), '');

create macro as_whole(text) as
    case when regexp_full_match(text, '[0-9]{1,18}') then cast(text as bigint)
        when regexp_full_match(stripped(text), '[0-9]{1,18}') then cast(stripped(text) as bigint) end;

create macro as_recid(text) as case when as_whole(text) < 2147483648 then as_whole(text) end;

-- record numbers of pointers begin with 1
create macro as_position(text) as nullif(as_whole(text), 0);

create macro as_grade(text) as case when regexp_full_match(text, '[+-]?[0-9]{1,9}') then cast(text as integer) end;

-- the engine would read 1_000; no comparison holds of NaN but that it is greater
create macro as_score(text) as
    case when contains(text, '_') then null
        when try_cast(text as double) <= cast('infinity' as double) then try_cast(text as double)
        else nullif(try_cast(stripped(text) as double), cast('nan' as double)) end;

-- NaN for a dash, which says that the system gave none
create macro as_score_or_dash(text) as case when text = '-' then cast('nan' as double) else as_score(text) end;

-- NaN for a text that means a missing score
create macro as_item_score(text) as
    case when abs(as_score(text)) <= 1e12 then as_score(text)
        when lower(stripped(text)) = 'true' then 1.0
        when lower(stripped(text)) = 'false' then 0.0
        when lower(stripped(text)) in ('nan', '-nan', 'null', 'none', 'na', 'n/a', '<na>') then cast('nan' as double)
    end;

create macro as_weight(text) as case when as_score(text) between 0 and 1e12 then as_score(text) end;

-- grades of Inspect: correct, incorrect, partial, no answer
create macro as_graded_score(text) as
    case when stripped(text) in ('C', 'I', 'P', 'N')
        then case stripped(text) when 'C' then 1.0 when 'P' then 0.5 else 0.0 end
        when lower(stripped(text)) = 'yes' then 1.0
        when lower(stripped(text)) = 'no' then 0.0
        else as_item_score(text) end;

create macro as_measure(text) as
    case when regexp_full_match(text, '[!-~]{1,200}') then text
        when strlen(text) <= 200 and not is_blank(text) and not regexp_matches(text, '\p{C}|[^ \P{Z}]') then text end;

create macro as_epoch(text) as
    case when regexp_full_match(stripped(text), '[0-9]{1,9}') then cast(stripped(text) as integer) end;

-- NaN for a text that says that the system gave none
create macro as_score_or_none(text) as
    case when is_blank(text) or lower(stripped(text)) in ('-', 'nan', 'na', 'none', 'null') then cast('nan' as double)
        else as_score(text) end;

create macro as_seconds(text) as case when as_score(text) >= 0 then as_score(text) end;

create macro as_time_pointer(text) as case when isfinite(as_seconds(text)) then as_seconds(text) end;

create macro as_flag(text) as
    case when lower(text) in ('yes', 'true', '1') then true when lower(text) in ('no', 'false', '0') then false
        when lower(stripped(text)) in ('yes', 'true', '1') then true
        when lower(stripped(text)) in ('no', 'false', '0') then false end;

create macro as_yes_no(text) as case lower(text) when 'yes' then true when 'no' then false end;

create macro as_level(text) as case when lower(text) in ('yes', 'brief', 'no') then lower(text) end;

create macro as_label(text) as
    case when lower(stripped(text)) in ('yes', 'brief', 'no') then lower(stripped(text)) end;

create macro as_answer(text) as
    case when upper(text) in ('TARGET', 'NONTARGET', 'OTHER') then upper(text) end;

-- the name of a source file without its folder and the extensions of the TDT corpora
create macro as_source(text) as
    case when ends_with(text, '.tkn') then split_part(left(text, -4), '/', -1)
        when contains(text, '/') or contains(text, '.')
        then regexp_replace(regexp_extract(text, '[^/]*$'), '\.(?:mt)?(?:tkn|as.)$', '')
        else text end;

-- YYYYMMDD or YYYY-MM-DD, and a time HH:MM:SS, HH:MM, HHMM or HHMMSS after a blank, _, : or T; in UTC with an offset
create macro as_time(text) as
    cast(date_trunc('second', coalesce(
        try_cast(case when regexp_full_match(stripped(text),
                '[0-9]{4}-?[0-9]{2}-?[0-9]{2}([ _:T][0-2][0-9]:?[0-9]{2}(:?[0-9]{2})?(\.[0-9]+)?Z?)?')
            and not regexp_matches(text, '^\s*0000|[ _:T]24')
            then regexp_replace(stripped(text), '^(....)-?(..)-?(..).*$', '\1-\2-\3') || ' '
                || coalesce(nullif(regexp_extract(stripped(text), '[ _:T](..):?..', 1), ''), '00') || ':'
                || coalesce(nullif(regexp_extract(stripped(text), '[ _:T]..:?(..)', 1), ''), '00') || ':'
                || coalesce(nullif(regexp_extract(stripped(text), '[ _:T]..:?..:?([0-9]{2})', 1), ''), '00')
        end as timestamp),
        make_timestamp(epoch_us(try_cast(case when regexp_full_match(stripped(text),
                '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?[+-][0-9]{2}(:?[0-9]{2})?')
            then stripped(text) end as timestamptz)))
    )) as varchar);

-- fields between blanks; the quick way for lines with one blank between fields
create macro words(text) as
    case when regexp_full_match(text, '[!-~]+( [!-~]+)*') then string_split(text, ' ')
        else list_filter(string_split_regex(text, '[\s\x0b\x1c-\x1f\x{85}\p{Z}]+'), lambda word: word <> '') end;

-- the same where the text is printable ASCII
create macro plain_words(text) as
    case when contains(text, '  ') or text[1] = ' ' or text[-1] = ' '
        then list_filter(string_split(text, ' '), lambda word: word <> '')
        else string_split(text, ' ') end;

-- a date stamp may be one field or two, in quotes or not
create macro stamped_words(text) as
    list_transform(case when len(words(text)) = 5 then words(text)[:3] || [words(text)[4] || ' ' || words(text)[5]]
        else words(text) end, lambda word, place: case when place = 4 then trim(word, '"''“”') else word end);

-- a topic, and what follows
create macro topic_words(text) as
    [words(text)[1], regexp_replace(text,
        '^[\s\x0b\x1c-\x1f\x{85}\p{Z}]*[^\s\x0b\x1c-\x1f\x{85}\p{Z}]+|[\s\x0b\x1c-\x1f\x{85}\p{Z}]+$', '', 'g')];

create macro as_no_tag(text) as case when not starts_with(text, '<') then text end;

-- one word without blanks
create macro as_word(text) as
    case when regexp_full_match(text, '[^\s\x0b\x1c-\x1f\x{85}\p{Z}]+') then text end;

create macro as_capitals(text) as upper(text);

-- fields between white space of ASCII, as bytes.split() of Python has them
create macro ascii_words(text) as
    case when regexp_full_match(text, '[!-~]+( [!-~]+)*') then string_split(text, ' ')
        when regexp_full_match(text, '[!-~]+(\t[!-~]+)*') then string_split(text, chr(9))
        else list_filter(string_split_regex(text, '[ \t\n\r\x0b\f]+'), lambda word: word <> '') end;

create macro as_given(text) as text;

-- whole numbers and numbers with a sign, as int() and float() of Python read bytes
create macro as_integer(text) as
    case when regexp_full_match(text, '[ \t\n\r\x0b\f]*[+-]?[0-9]{1,18}[ \t\n\r\x0b\f]*')
        then cast(text as bigint) end;

create macro as_length(text) as case when as_integer(text) between 0 and 1000000000 then as_integer(text) end;

create macro as_number(text) as
    case when regexp_full_match(lower(text), '[ \t\n\r\x0b\f]*[+-]?([0-9]+(\.[0-9]*)?(e[+-]?[0-9]+)?'
            || '|\.[0-9]+(e[+-]?[0-9]+)?|inf(inity)?|nan)[ \t\n\r\x0b\f]*')
        then try_cast(text as double) end;

create macro as_finite(text) as case when isfinite(as_number(text)) then as_number(text) end;

-- an infinite one counts as the highest there is
create macro as_confidence(text) as
    case when not isnan(as_number(text)) and as_number(text) > cast('-infinity' as double) then as_number(text) end;

create macro as_confidence_above_0(text) as case when as_finite(text) > 0 then as_finite(text) end;

-- of the id of a story, FILE:DOCNO or DOCNO: what follows the colon, and the source file before it, empty without one
create macro docno(text) as regexp_extract(text, '[^:]*$');

create macro story_source(text) as
    regexp_replace(regexp_extract(text, '^(?:.*/)?([^/]*):[^:]*$', 1), '\.(?:mt)?(?:tkn|as.)$', '');

-- an id that a spreadsheet has written as a number, and perhaps rounded: 1.2E+18
create macro is_scientific(text) as regexp_full_match(text, '[0-9]([.,][0-9]+)?[eE][+]?[0-9]+');

-- what is seen of a text: without letters that are not seen, letters composed, one blank between words
create macro as_seen(text) as
    case when regexp_full_match(text, '[!-~]+( [!-~]+)*') then text
        else trim(nfc_normalize(
            regexp_replace(regexp_replace(text, '\p{Cf}', '', 'g'), '[\s\p{Z}]+', ' ', 'g'))) end;
