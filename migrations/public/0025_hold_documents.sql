-- The documents that sellers send for a hold, and what staff answer. A hold names the documents that it asks for; each
-- may have several files.
--
-- Locks nothing: the table is new.

CREATE TABLE hold_document (
    -- The file's id.
    id          uuid PRIMARY KEY REFERENCES stored_file (id),
    business_id uuid NOT NULL REFERENCES business (id),
    -- In the ledger, so no foreign key.
    hold_id     uuid NOT NULL,
    -- The name of the document as the hold asked for it at the time. Later changes of the hold do not change it.
    asked       text NOT NULL CHECK (char_length(asked) BETWEEN 1 AND 120),
    file_name   text NOT NULL
        CHECK (file_name <> '' AND length(file_name) <= 120 AND file_name !~ '[[:cntrl:]]'),
    sent_by     uuid NOT NULL REFERENCES seller_user (id),
    sent_at     timestamptz NOT NULL,
    state       text NOT NULL CHECK (state IN ('sent', 'accepted', 'refused')),
    -- What staff answer. The seller reads it.
    note        text CHECK (char_length(note) BETWEEN 1 AND 500),
    answered_by uuid REFERENCES admin_user (id),
    answered_at timestamptz,
    CONSTRAINT hold_document_answer CHECK (
        (state = 'sent') = (answered_by IS NULL) AND (answered_by IS NULL) = (answered_at IS NULL)
        AND (state <> 'sent' OR note IS NULL) AND (state <> 'refused' OR note IS NOT NULL))
);

CREATE INDEX hold_document_of_hold ON hold_document (business_id, hold_id, sent_at, id);
-- All documents, and those of a company, by age.
CREATE INDEX hold_document_by_instant ON hold_document (sent_at, id);
CREATE INDEX hold_document_by_business ON hold_document (business_id, sent_at, id);
-- The queue of staff: few documents wait.
CREATE INDEX hold_document_sent ON hold_document (sent_at, id) WHERE state = 'sent';

CREATE FUNCTION hold_document_answered_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'UPDATE' OR OLD.state <> 'sent'
       OR (NEW.id, NEW.business_id, NEW.hold_id, NEW.asked, NEW.file_name, NEW.sent_by, NEW.sent_at)
          IS DISTINCT FROM (OLD.id, OLD.business_id, OLD.hold_id, OLD.asked, OLD.file_name, OLD.sent_by, OLD.sent_at) THEN
        RAISE EXCEPTION 'a document of a hold is answered once and stays' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER hold_document_answered_once BEFORE UPDATE OR DELETE ON hold_document
    FOR EACH ROW EXECUTE FUNCTION hold_document_answered_once();
CREATE TRIGGER hold_document_never_emptied BEFORE TRUNCATE ON hold_document
    FOR EACH STATEMENT EXECUTE FUNCTION hold_document_answered_once();

SELECT chain_rows('hold_document', '{id}', 'business_id', '{}');
