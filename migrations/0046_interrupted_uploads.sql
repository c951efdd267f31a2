-- An interrupted upload of a file can have the state 'failed'. Its hash is unknown, because the file is incomplete.
--
-- Why: the job marks interrupted uploads as failed before it claims an import. The old check rejected that update. So
-- one interrupted upload prevented the processing of all later imports.
ALTER TABLE settlement_import DROP CONSTRAINT settlement_import_check5;
ALTER TABLE settlement_import ADD CHECK (source <> 'file' OR state IN ('receiving', 'failed') OR sha256 IS NOT NULL);
