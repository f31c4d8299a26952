/*
what:   the fileid is not the name of the file
advice: Rename the file, or correct its fileid.
*/
select file, null as line, file_id as value from corpus_file where kind = 1 and file_id <> source_file
