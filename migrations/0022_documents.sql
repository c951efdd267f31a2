-- Changes of the bank account for withdrawals, the documents of companies, and the logos of tenants.
--
-- Why the changes of the bank account are kept: fraud often begins with a new account, so staff check withdrawals to it
-- more closely. Whether a withdrawal is marked depends only on its instant and on this table. So no event and no read
-- model stores the mark, and a replay gives the same result.
-- Why `marked_until` is stored: a later change of the setting must not remove marks.

CREATE TABLE destination_change (
    business_id   uuid NOT NULL REFERENCES business (id),
    changed_at    timestamptz NOT NULL,
    -- Withdrawals to the bank account are marked if they are requested from `changed_at` until before this instant.
    marked_until  timestamptz NOT NULL CHECK (marked_until >= changed_at),
    PRIMARY KEY (business_id, changed_at)
);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON destination_change
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- Uploaded files: documents of companies, and the logos of tenants.
--
-- Why in the database: a file is committed, backed up and removed together with the row that references it. An
-- installation needs no second store.
-- Why in parts: while a file is sent, only one part of it is in memory.

CREATE TABLE stored_file (
    id          uuid PRIMARY KEY,
    -- Detected from the content. The name that the user gave the file does not decide the type.
    media_type  text NOT NULL CHECK (media_type IN ('application/pdf', 'image/jpeg', 'image/png')),
    byte_count  integer NOT NULL CHECK (byte_count BETWEEN 1 AND 10485760),
    sha256      bytea NOT NULL CHECK (length(sha256) = 32),
    created_at  timestamptz NOT NULL
);
CREATE TABLE stored_file_part (
    file_id  uuid NOT NULL REFERENCES stored_file (id) ON DELETE CASCADE,
    number   integer NOT NULL CHECK (number >= 0),
    content  bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
    PRIMARY KEY (file_id, number)
);
-- The allowed formats are compressed already. Compressing them again costs time and saves nothing.
ALTER TABLE stored_file_part ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE FUNCTION file_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a stored file is replaced, never changed' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER file_never_changed BEFORE UPDATE ON stored_file
    FOR EACH STATEMENT EXECUTE FUNCTION file_never_changed();
CREATE TRIGGER file_never_changed BEFORE UPDATE ON stored_file_part
    FOR EACH STATEMENT EXECUTE FUNCTION file_never_changed();

CREATE TABLE business_document (
    -- The file's id.
    id           uuid PRIMARY KEY REFERENCES stored_file (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    kind         text NOT NULL CHECK (kind IN ('identity', 'address', 'articles', 'other')),
    file_name    text NOT NULL
        CHECK (file_name <> '' AND length(file_name) <= 120 AND file_name !~ '[[:cntrl:]]'),
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Id in `seller_user` or `admin_user`, depending on the audience.
    uploaded_by  uuid NOT NULL,
    uploaded_at  timestamptz NOT NULL
);
CREATE INDEX business_document_of_business ON business_document (business_id, uploaded_at, id);

CREATE TABLE tenant_logo (
    label    text PRIMARY KEY REFERENCES tenant (label) ON DELETE CASCADE,
    file_id  uuid NOT NULL UNIQUE REFERENCES stored_file (id)
);

-- A file is deleted together with the row that references it.
CREATE FUNCTION document_file_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM stored_file WHERE id = OLD.id;
    RETURN NULL;
END $$;
CREATE TRIGGER file_removed AFTER DELETE ON business_document
    FOR EACH ROW EXECUTE FUNCTION document_file_removed();
CREATE FUNCTION logo_file_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM stored_file WHERE id = OLD.file_id;
    RETURN NULL;
END $$;
CREATE TRIGGER file_removed AFTER DELETE ON tenant_logo
    FOR EACH ROW EXECUTE FUNCTION logo_file_removed();
