-- A file that stopped arriving can fail. Its hash is not known, because the whole file never arrived.
--
-- Why: the job marks such an upload as failed before it claims an import. The old check refused that, so that one
-- abandoned upload kept every later import from being read.
ALTER TABLE settlement_import DROP CONSTRAINT settlement_import_check5;
ALTER TABLE settlement_import ADD CHECK (source <> 'file' OR state IN ('receiving', 'failed') OR sha256 IS NOT NULL);
