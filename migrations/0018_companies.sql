-- What staff record about a company: the approval, the contact data, the addresses, and the words for the search.
--
-- Why a fourth approval: a new company is 'pending' until staff approve or deny it. Its sales are held as those of a
-- denied company. Its approval releases the holds on the sales captured before. So the read model of sales marks those
-- sales. Few rows have the mark, and the index has only them.
-- Why a version: two users may edit a company at once. The second one is told what the first one changed.
-- Why words: a search by the beginnings of words then reads an index, also with 100,000 companies.

ALTER TABLE business
    DROP CONSTRAINT business_approval_check,
    ADD CONSTRAINT business_approval_check CHECK (approval IN ('pending', 'enabled', 'denied', 'deleted')),
    ALTER COLUMN approval SET DEFAULT 'pending',
    ADD COLUMN name_key text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    ADD COLUMN version integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    ADD COLUMN trade_name text CHECK (trade_name <> '' AND length(trade_name) <= 120 AND trade_name !~ '[[:cntrl:]]'),
    ADD COLUMN email text CHECK (email = lower(email) AND length(email) <= 254),
    -- Digits with area code.
    ADD COLUMN phone text CHECK (phone ~ '^[0-9]{10,11}$'),
    -- Merchant category code (ISO 18245).
    ADD COLUMN mcc text CHECK (mcc ~ '^[0-9]{4}$'),
    -- Only a company (PJ) has one: the person who signs for it.
    ADD COLUMN representative_name text
        CHECK (representative_name <> '' AND length(representative_name) <= 120 AND representative_name !~ '[[:cntrl:]]'),
    ADD COLUMN representative_document text CHECK (representative_document ~ '^[0-9]{11}$'),
    -- Only a natural person (PF) has one.
    ADD COLUMN birth_date date,
    ADD CONSTRAINT business_representative_of_a_company
        CHECK (type = 'PJ' OR (representative_name IS NULL AND representative_document IS NULL)),
    ADD CONSTRAINT business_birth_date_of_a_person CHECK (type = 'PF' OR birth_date IS NULL);

DROP INDEX business_by_name;
CREATE INDEX business_by_name ON business (name_key, id);
CREATE INDEX business_by_creation ON business (created_at, id);
CREATE INDEX business_by_approval ON business (approval, created_at, id);
CREATE INDEX business_by_approval_and_name ON business (approval, name_key, id);
CREATE INDEX business_by_type ON business (type, created_at, id);
CREATE INDEX business_by_type_and_name ON business (type, name_key, id);

-- The words of the company's names, and its document. Lower case, without accents and punctuation, as searches are.
CREATE TABLE business_word (
    word         text COLLATE "C" NOT NULL,
    business_id  uuid NOT NULL REFERENCES business (id),
    PRIMARY KEY (word, business_id)
);
CREATE INDEX business_word_of_business ON business_word (business_id);

CREATE FUNCTION business_words(name text, trade_name text, document text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    regexp_split_to_table(
        trim(BOTH ' ' FROM regexp_replace(folded(concat_ws(' ', name, trade_name, document)), '[^a-z0-9]+', ' ', 'g')),
        ' ');

CREATE FUNCTION business_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM business_word WHERE business_id = NEW.id;
    END IF;
    INSERT INTO business_word (word, business_id)
    SELECT DISTINCT word, NEW.id FROM business_words(NEW.name, NEW.trade_name, NEW.document) AS word WHERE word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER business_words_added AFTER INSERT ON business
    FOR EACH ROW EXECUTE FUNCTION business_words_kept();
CREATE TRIGGER business_words_changed AFTER UPDATE ON business
    FOR EACH ROW WHEN ((NEW.name, NEW.trade_name, NEW.document) IS DISTINCT FROM (OLD.name, OLD.trade_name, OLD.document))
    EXECUTE FUNCTION business_words_kept();
INSERT INTO business_word (word, business_id)
SELECT DISTINCT word, id FROM business, business_words(name, trade_name, document) AS word WHERE word <> '';

CREATE TABLE business_address (
    id            uuid PRIMARY KEY,
    business_id   uuid NOT NULL REFERENCES business (id),
    address       text NOT NULL CHECK (address <> '' AND length(address) <= 120 AND address !~ '[[:cntrl:]]'),
    number        text CHECK (number <> '' AND length(number) <= 20 AND number !~ '[[:cntrl:]]'),
    complement    text CHECK (complement <> '' AND length(complement) <= 120 AND complement !~ '[[:cntrl:]]'),
    reference     text CHECK (reference <> '' AND length(reference) <= 120 AND reference !~ '[[:cntrl:]]'),
    neighborhood  text NOT NULL CHECK (neighborhood <> '' AND length(neighborhood) <= 120 AND neighborhood !~ '[[:cntrl:]]'),
    city          text NOT NULL CHECK (city <> '' AND length(city) <= 120 AND city !~ '[[:cntrl:]]'),
    state         text NOT NULL CHECK (state ~ '^[A-Z]{2}$'),
    postal_code   text NOT NULL CHECK (postal_code ~ '^[0-9]{8}$'),
    created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX business_address_of_business ON business_address (business_id, created_at);

-- Cached answers of the postal code service, so that it is called at most once a month for each code.
CREATE TABLE postal_code (
    postal_code  text PRIMARY KEY CHECK (postal_code ~ '^[0-9]{8}$'),
    address      text NOT NULL,
    district     text NOT NULL,
    city         text NOT NULL,
    state        text NOT NULL CHECK (state ~ '^[A-Z]{2}$'),
    found_at     timestamptz NOT NULL
);

-- True: captured before staff approved the company, and held until they do. False for all rows of earlier releases.
ALTER TABLE sale ADD COLUMN awaits_approval boolean NOT NULL DEFAULT false;
CREATE INDEX sale_awaiting_approval ON sale (business_id, sale_id) WHERE awaits_approval;
