-- Messages that sellers write to the platform (the page "Fale com a gente"), and the answers of staff.
--
-- Why a table of words: staff search by number, subject, company, and the user's name or e-mail. The table lets a
-- search use an index. The words are as of the time of the message; later changes of names do not update them.
-- Why `panel_url`: the e-mail with the answer uses the brand of the panel where the message was written.

CREATE TABLE contact_message (
    id           uuid PRIMARY KEY,
    -- The number that sellers and staff see.
    number       bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    seller_id    uuid NOT NULL REFERENCES seller_user (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    panel_url    text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    subject      text NOT NULL CHECK (subject <> '' AND length(subject) <= 120 AND subject !~ '[[:cntrl:]]'),
    -- Plain text. The only allowed control character is the line feed.
    body         text NOT NULL CHECK (body <> '' AND length(body) <= 4000 AND translate(body, E'\n', '') !~ '[[:cntrl:]]'),
    state        text NOT NULL DEFAULT 'new' CHECK (state IN ('new', 'answered', 'closed')),
    -- Raised by each change. If two users answer at once, the second one gets a conflict.
    version      integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL CHECK (updated_at >= created_at)
);
CREATE INDEX contact_message_by_creation ON contact_message (created_at, id);
CREATE INDEX contact_message_by_state ON contact_message (state, created_at, id);
CREATE INDEX contact_message_of_seller ON contact_message (seller_id, created_at, id);
CREATE INDEX contact_message_of_business ON contact_message (business_id, created_at, id);

CREATE FUNCTION contact_message_changes_state() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.number, NEW.seller_id, NEW.business_id, NEW.panel_url, NEW.subject, NEW.body, NEW.created_at)
           IS DISTINCT FROM
       (OLD.id, OLD.number, OLD.seller_id, OLD.business_id, OLD.panel_url, OLD.subject, OLD.body, OLD.created_at)
       OR NEW.version <> OLD.version + 1 THEN
        RAISE EXCEPTION 'only the state of a contact message changes, one version after the other'
            USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER contact_message_changes_state BEFORE UPDATE ON contact_message
    FOR EACH ROW EXECUTE FUNCTION contact_message_changes_state();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON contact_message
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

CREATE TABLE contact_answer (
    id          uuid PRIMARY KEY,
    message_id  uuid NOT NULL REFERENCES contact_message (id),
    admin_id    uuid NOT NULL REFERENCES admin_user (id),
    body        text NOT NULL CHECK (body <> '' AND length(body) <= 4000 AND translate(body, E'\n', '') !~ '[[:cntrl:]]'),
    created_at  timestamptz NOT NULL
);
CREATE INDEX contact_answer_of_message ON contact_answer (message_id, created_at, id);
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON contact_answer
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

CREATE TABLE contact_message_word (
    word        text COLLATE "C" NOT NULL,
    message_id  uuid NOT NULL REFERENCES contact_message (id),
    PRIMARY KEY (word, message_id)
);
CREATE INDEX contact_message_word_of_message ON contact_message_word (message_id);

CREATE FUNCTION contact_message_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO contact_message_word (word, message_id)
    SELECT DISTINCT word, NEW.id
      FROM business
      JOIN seller_user ON seller_user.id = NEW.seller_id
     CROSS JOIN business_words(concat_ws(' ', NEW.number, NEW.subject),
                               concat_ws(' ', business.name, business.trade_name, business.document),
                               concat_ws(' ', seller_user.name, seller_user.email)) AS word
     WHERE business.id = NEW.business_id AND word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER contact_message_words_added AFTER INSERT ON contact_message
    FOR EACH ROW EXECUTE FUNCTION contact_message_words_kept();
