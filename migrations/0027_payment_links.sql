-- Payment links: a public address at which buyers pay a seller, with the counts of its openings and uses.
--
-- Why the row counts uses: an order takes a use by one update of the row, and its lock serializes the link's orders.
-- So concurrent orders cannot exceed the limit. The CHECK enforces it even if a caller does not.
-- Why no stored status: a link expires when its last day ends, without any update. `exhausted` follows from the row.
-- Why words: sellers and staff search by the description and the code, and the search reads an index.
-- Why openings have their own table: a count then does not wait for orders, and does not change the link's version.
-- Openings store neither IP address nor browser, so they are not personal data.

CREATE TABLE payment_link (
    id                uuid PRIMARY KEY,
    business_id       uuid NOT NULL REFERENCES business (id),
    -- The last part of the public address.
    code              text COLLATE "C" NOT NULL UNIQUE CHECK (code ~ '^[0-9A-Z]{12}$'),
    description       text NOT NULL
        CHECK (description <> '' AND length(description) <= 120 AND description !~ '[[:cntrl:]]'),
    -- In cents. NULL: the buyer chooses the amount, from `amount_min` to `amount_max`.
    amount            bigint CHECK (amount BETWEEN 1 AND 9999999999),
    amount_min        bigint CHECK (amount_min BETWEEN 1 AND 9999999999),
    amount_max        bigint CHECK (amount_max BETWEEN 1 AND 9999999999),
    payment_types     text[] NOT NULL
        CHECK (cardinality(payment_types) BETWEEN 1 AND 3 AND payment_types <@ ARRAY['credit', 'pix', 'boleto']),
    installments_max  smallint NOT NULL CHECK (installments_max BETWEEN 1 AND 21),
    -- Who pays the fees. If the buyer pays them, the seller receives the full amount.
    payer             text NOT NULL CHECK (payer IN ('seller', 'buyer')),
    -- The last day, in Brasília, on which the link can be paid.
    expires_on        date,
    use_limit         integer CHECK (use_limit BETWEEN 1 AND 1000000),
    -- The orders that have taken a use and not given it back.
    uses              integer NOT NULL DEFAULT 0 CHECK (uses >= 0),
    active            boolean NOT NULL,
    exhausted         boolean NOT NULL GENERATED ALWAYS AS (use_limit IS NOT NULL AND uses >= use_limit) STORED,
    -- Counts the changes by users. If two users edit at once, the second one is told. Uses do not count.
    version           integer NOT NULL DEFAULT 1 CHECK (version >= 1),
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL CHECK (updated_at >= created_at),
    CHECK (use_limit IS NULL OR uses <= use_limit),
    CHECK (amount IS NULL OR (amount_min IS NULL AND amount_max IS NULL)),
    CHECK (amount_min <= amount_max),
    CHECK (installments_max = 1 OR 'credit' = ANY (payment_types))
) WITH (fillfactor = 80);

CREATE FUNCTION payment_link_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.business_id, NEW.code, NEW.created_at)
           IS DISTINCT FROM (OLD.id, OLD.business_id, OLD.code, OLD.created_at) THEN
        RAISE EXCEPTION 'a payment link keeps its company and its code' USING ERRCODE = 'check_violation';
    END IF;
    IF (NEW.uses = OLD.uses AND NEW.version <> OLD.version + 1)
       OR (NEW.uses <> OLD.uses AND (abs(NEW.uses - OLD.uses) <> 1 OR NEW.version <> OLD.version)) THEN
        RAISE EXCEPTION 'a payment link changes one version or one use at a time' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER payment_link_guarded BEFORE UPDATE ON payment_link
    FOR EACH ROW EXECUTE FUNCTION payment_link_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON payment_link
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- openings

CREATE TABLE payment_link_opening (
    link_id        uuid NOT NULL REFERENCES payment_link (id),
    business_date  date NOT NULL,
    opened         bigint NOT NULL CHECK (opened >= 1),
    PRIMARY KEY (link_id, business_date)
) WITH (fillfactor = 50);

-- ---------------------------------------------------------------- words

CREATE TABLE payment_link_word (
    business_id  uuid NOT NULL REFERENCES business (id),
    word         text COLLATE "C" NOT NULL,
    link_id      uuid NOT NULL REFERENCES payment_link (id),
    PRIMARY KEY (link_id, word)
);
CREATE INDEX payment_link_word_of_business ON payment_link_word (business_id, word, link_id);
CREATE INDEX payment_link_word_of_any ON payment_link_word (word, link_id);

CREATE FUNCTION payment_link_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        DELETE FROM payment_link_word WHERE link_id = NEW.id;
    END IF;
    INSERT INTO payment_link_word (business_id, word, link_id)
    SELECT DISTINCT NEW.business_id, word, NEW.id
      FROM business_words(NEW.code, NEW.description, NULL) AS word WHERE word <> '';
    RETURN NULL;
END $$;
CREATE TRIGGER payment_link_words_added AFTER INSERT ON payment_link
    FOR EACH ROW EXECUTE FUNCTION payment_link_words_kept();
CREATE TRIGGER payment_link_words_changed AFTER UPDATE ON payment_link
    FOR EACH ROW WHEN (NEW.description IS DISTINCT FROM OLD.description)
    EXECUTE FUNCTION payment_link_words_kept();

-- ---------------------------------------------------------------- lists

-- Lists of a seller's links and of all links, by creation and by amount. A link without an amount sorts as zero.
CREATE INDEX payment_link_of_business ON payment_link (business_id, created_at, id);
CREATE INDEX payment_link_of_business_by_amount ON payment_link (business_id, coalesce(amount, 0), id);
CREATE INDEX payment_link_by_creation ON payment_link (created_at, id);
CREATE INDEX payment_link_by_amount ON payment_link (coalesce(amount, 0), id);
-- One index per status. Links of `payment_link_active` may have expired, so it includes the date.
CREATE INDEX payment_link_active ON payment_link (created_at, id) INCLUDE (expires_on) WHERE active AND NOT exhausted;
CREATE INDEX payment_link_inactive ON payment_link (created_at, id) WHERE NOT active;
CREATE INDEX payment_link_exhausted ON payment_link (created_at, id) INCLUDE (expires_on) WHERE active AND exhausted;
CREATE INDEX payment_link_with_expiry ON payment_link (created_at, id) INCLUDE (expires_on)
    WHERE active AND expires_on IS NOT NULL;

-- The sales of a link, and their sums. Few sales have a link, and these indexes have only those.
CREATE INDEX sale_by_link ON sale (payment_link_code, occurred_at, sale_id) WHERE payment_link_code IS NOT NULL;
CREATE INDEX daily_sales_by_link ON daily_sales (payment_link_code, business_id) WHERE payment_link_code IS NOT NULL;
