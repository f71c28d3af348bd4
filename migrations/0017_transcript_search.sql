-- Terms of the passages of `transcript_passages`, each with its organisation in front, so that a search reads nobody else's.
-- The code folds and splits text itself: the tokenizer parts terms at spaces only. No text is stored.
CREATE VIRTUAL TABLE `transcript_search` USING fts5(terms, content='', contentless_delete=1, tokenize='ascii');
