-- Orders: purchases of buyers on payment links, and the attempts to pay them.
--
-- An attempt is one sale. Its id is the sale's id and the acquirer's idempotency key, so an attempt that is sent twice
-- charges once. An order has at most one open attempt. Another card, payment type or PIX code is another attempt.
--
-- The buyer's data have a separate table, so that they can be erased without a change to the order or the ledger.
--
-- The order, not the link, stores whether it holds a use of the link. So an order that ends twice gives one use back.

CREATE TABLE link_order (
    id            uuid PRIMARY KEY,
    -- Identifies the order in the URLs of the buyer. It is random, so that it cannot be guessed.
    reference     text COLLATE "C" NOT NULL UNIQUE CHECK (reference ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
    link_id       uuid NOT NULL REFERENCES payment_link (id),
    business_id   uuid NOT NULL REFERENCES business (id),
    -- The link's description when the order was placed. That of the link may change later.
    description   text NOT NULL
        CHECK (description <> '' AND length(description) <= 120 AND description !~ '[[:cntrl:]]'),
    -- The link's amount, or the one that the buyer chose, in cents. The totals of attempts are computed from it.
    amount        bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- Scheme and host of the page on which the order was placed. The buyer returns there, and e-mails link to it.
    panel_url     text NOT NULL CHECK (panel_url ~ '^https?://[^[:space:][:cntrl:]]+$' AND length(panel_url) <= 300),
    -- SHA-256 of the idempotency key of the request that placed the order. A repeated request gets this order.
    request_key   bytea NOT NULL CHECK (octet_length(request_key) = 32),
    status        text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'expired', 'canceled')),
    -- Whether the order counts as a use of its link.
    holds_use     boolean NOT NULL DEFAULT true,
    -- Since when no attempt is open, by the database's clock. An order that is idle too long expires.
    idle_since    timestamptz,
    -- These three times are of the business clock.
    created_at    timestamptz NOT NULL,
    paid_at       timestamptz,
    ended_at      timestamptz,
    UNIQUE (link_id, request_key),
    CHECK ((status = 'open') = (ended_at IS NULL)),
    CHECK (status <> 'paid' OR paid_at IS NOT NULL),
    CHECK (status <> 'open' OR holds_use)
) WITH (fillfactor = 80);

-- The lists of the orders of a link and of a company.
CREATE INDEX link_order_of_link ON link_order (link_id, created_at);
CREATE INDEX link_order_of_business ON link_order (business_id, created_at, id);
-- The idle orders, which a job expires.
CREATE INDEX link_order_idle ON link_order (idle_since) WHERE status = 'open' AND idle_since IS NOT NULL;

CREATE FUNCTION link_order_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.reference, NEW.link_id, NEW.business_id, NEW.description, NEW.amount, NEW.panel_url,
        NEW.request_key, NEW.created_at)
           IS DISTINCT FROM
       (OLD.id, OLD.reference, OLD.link_id, OLD.business_id, OLD.description, OLD.amount, OLD.panel_url,
        OLD.request_key, OLD.created_at) THEN
        RAISE EXCEPTION 'an order keeps what was ordered' USING ERRCODE = 'check_violation';
    END IF;
    -- A late payment must be recorded, so an order that ended unpaid can still become paid. No order is opened again.
    IF OLD.status <> 'open' AND NEW.status IN ('open', 'expired') AND NEW.status <> OLD.status THEN
        RAISE EXCEPTION 'an order that has ended is not opened again' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER link_order_guarded BEFORE UPDATE ON link_order
    FOR EACH ROW EXECUTE FUNCTION link_order_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON link_order
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- the buyer

-- The personal data of an order's buyer. An erasure sets all of them to NULL and is final.
CREATE TABLE order_buyer (
    order_id      uuid PRIMARY KEY REFERENCES link_order (id),
    name          text CHECK (length(name) BETWEEN 1 AND 120),
    -- CPF or CNPJ without punctuation. A CNPJ may have letters.
    document      text CHECK (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
    email         text CHECK (length(email) BETWEEN 3 AND 254),
    phone         text CHECK (phone ~ '^[0-9]{10,11}$'),
    -- The address of the buyer, which a boleto requires.
    postal_code   text CHECK (postal_code ~ '^[0-9]{8}$'),
    street        text CHECK (length(street) BETWEEN 1 AND 120),
    number        text CHECK (length(number) BETWEEN 1 AND 20),
    complement    text CHECK (length(complement) BETWEEN 1 AND 60),
    district      text CHECK (length(district) BETWEEN 1 AND 80),
    city          text CHECK (length(city) BETWEEN 1 AND 80),
    state         text CHECK (state ~ '^[A-Z]{2}$'),
    -- Keyed hash of the body of the request that placed the order. Another body under the same key is refused.
    request_hash  bytea CHECK (octet_length(request_hash) = 32),
    erased_at     timestamptz,
    CHECK ((erased_at IS NULL) = (num_nulls(name, document, email, phone, request_hash) = 0)),
    CHECK (erased_at IS NULL OR num_nonnulls(name, document, email, phone, request_hash, postal_code, street, number,
                                             complement, district, city, state) = 0),
    CHECK (num_nulls(postal_code, street, number, district, city, state) IN (0, 6)),
    CHECK (complement IS NULL OR street IS NOT NULL)
) WITH (fillfactor = 90);

-- Finds the orders of one buyer, to erase the buyer's data.
CREATE INDEX order_buyer_by_document ON order_buyer (document) WHERE document IS NOT NULL;
CREATE INDEX order_buyer_by_email ON order_buyer (lower(email)) WHERE email IS NOT NULL;

CREATE FUNCTION order_buyer_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.erased_at IS NOT NULL AND NEW IS DISTINCT FROM OLD THEN
        RAISE EXCEPTION 'an erased buyer stays erased' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.order_id <> OLD.order_id THEN
        RAISE EXCEPTION 'a buyer keeps the order' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER order_buyer_guarded BEFORE UPDATE ON order_buyer
    FOR EACH ROW EXECUTE FUNCTION order_buyer_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON order_buyer
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- attempts

CREATE TABLE order_attempt (
    -- The sale's id, which is also the acquirer's idempotency key or reference.
    sale_id             uuid PRIMARY KEY,
    order_id            uuid NOT NULL REFERENCES link_order (id),
    -- Counts the attempts of the order from 1.
    number              integer NOT NULL CHECK (number >= 1),
    business_id         uuid NOT NULL,
    -- The acquirer of the charge. A charge at another acquirer is another attempt.
    provider            smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    -- The acquirers to try next, in this order, once it is proven that this one charged nothing.
    fallback            smallint[] NOT NULL DEFAULT '{}',
    payment_type        text NOT NULL CHECK (payment_type IN ('credit', 'pix', 'boleto')),
    installments        smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    -- The amount that the buyer pays, in cents.
    total               bigint NOT NULL CHECK (total BETWEEN 1 AND 9999999999),
    -- The brand and digits that the buyer's browser read. `paid_brand` and `paid_last_four` are from the acquirer.
    card_brand          text CHECK (card_brand <> '' AND card_brand !~ '[[:cntrl:]]'),
    card_last_four      text CHECK (card_last_four ~ '^[0-9]{4}$'),
    -- The acquirer's token of the card. It is deleted once the acquirer has the charge or the attempt ends.
    card_token          text CHECK (length(card_token) BETWEEN 1 AND 500),
    -- Hashes of the request's key and body. NULL for the first attempt, because the order and its buyer have them.
    -- NULL also for an attempt at a fallback acquirer, because no request made it.
    request_key         bytea CHECK (octet_length(request_key) = 32),
    request_hash        bytea CHECK (octet_length(request_hash) = 32),
    -- When the attempt was ordered, by the business clock. The time of the sale's creation.
    ordered_at          timestamptz NOT NULL,
    -- When the attempt is canceled if it is still unpaid.
    expires_at          timestamptz NOT NULL CHECK (expires_at > ordered_at),
    -- The due date of a boleto.
    due_on              date,

    -- The answers of the acquirer. Codes and lines are stored only after a check that they agree with the order.
    acquirer_id         text CHECK (length(acquirer_id) BETWEEN 1 AND 200),
    pix_code            text CHECK (length(pix_code) BETWEEN 1 AND 1000),
    boleto_line         text CHECK (boleto_line ~ '^[0-9]{47}$'),
    boleto_barcode      text CHECK (boleto_barcode ~ '^[0-9]{44}$'),
    challenge_url       text CHECK (length(challenge_url) BETWEEN 1 AND 2000),
    decline             text CHECK (decline ~ '^[a-z_]{1,40}$'),
    -- The facts of the payment as first answered. So a repeated report has the same content and is a duplicate.
    paid_at             timestamptz,
    paid_brand          text CHECK (paid_brand <> '' AND paid_brand !~ '[[:cntrl:]]'),
    paid_last_four      text CHECK (paid_last_four ~ '^[0-9]{4}$'),
    authorization_code  text CHECK (length(authorization_code) BETWEEN 1 AND 40),
    -- When the attempt ended unpaid, as first answered. It is kept for the same reason.
    unpaid_at           timestamptz,

    -- Set to request a cancel. The worker then cancels the charge at the acquirer and looks it up.
    cancel_asked_at     timestamptz,
    -- How the attempt is to end if it stays unpaid. It is stored before the ledger decides the end.
    ends_as             text CHECK (ends_as IN ('declined', 'expired', 'canceled', 'failed')),
    -- waiting: never sent. unknown: sent or about to be sent, and its arrival is not confirmed. The worker looks it up
    -- before it sends it again. sent: the acquirer has it. unreadable: the program cannot read the row, so staff
    -- must act. failed: not paid, through no fault of the buyer. The other values are the ends of the sale.
    status              text NOT NULL DEFAULT 'waiting'
        CHECK (status IN ('waiting', 'unknown', 'sent', 'unreadable', 'paid', 'declined', 'expired', 'canceled', 'failed')),
    tries               integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    next_try_at         timestamptz DEFAULT now(),
    last_error          text CHECK (last_error ~ '^[a-z_]{1,60}$'),
    created_at          timestamptz NOT NULL DEFAULT now(),
    ended_at            timestamptz,
    UNIQUE (order_id, number),
    UNIQUE (order_id, request_key),
    CHECK ((status IN ('paid', 'declined', 'expired', 'canceled', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((ended_at IS NOT NULL OR status = 'unreadable') = (next_try_at IS NULL)),
    CHECK ((payment_type = 'credit') = (card_brand IS NOT NULL)),
    CHECK (payment_type = 'credit' OR num_nonnulls(card_last_four, card_token, challenge_url) = 0),
    CHECK (payment_type = 'credit' OR installments = 1),
    CHECK (payment_type = 'pix' OR pix_code IS NULL),
    CHECK ((payment_type = 'boleto') = (due_on IS NOT NULL)),
    CHECK (payment_type = 'boleto' OR num_nonnulls(boleto_line, boleto_barcode) = 0),
    CHECK ((request_key IS NULL) = (request_hash IS NULL)),
    CHECK (card_token IS NULL OR ended_at IS NULL)
) WITH (fillfactor = 50);

-- An order has at most one open attempt, because the buyer could pay two.
CREATE UNIQUE INDEX order_attempt_open ON order_attempt (order_id) WHERE ended_at IS NULL;
CREATE INDEX order_attempt_due ON order_attempt (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX order_attempt_to_expire ON order_attempt (expires_at) WHERE ended_at IS NULL AND cancel_asked_at IS NULL;
-- Notices name a charge by its id at the acquirer.
CREATE UNIQUE INDEX order_attempt_of_acquirer ON order_attempt (provider, acquirer_id) WHERE acquirer_id IS NOT NULL;

CREATE FUNCTION order_attempt_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.sale_id, NEW.order_id, NEW.number, NEW.business_id, NEW.provider, NEW.payment_type, NEW.installments,
        NEW.total, NEW.card_brand, NEW.ordered_at, NEW.due_on)
           IS DISTINCT FROM
       (OLD.sale_id, OLD.order_id, OLD.number, OLD.business_id, OLD.provider, OLD.payment_type, OLD.installments,
        OLD.total, OLD.card_brand, OLD.ordered_at, OLD.due_on) THEN
        RAISE EXCEPTION 'an attempt keeps what was ordered' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.acquirer_id IS NOT NULL AND NEW.acquirer_id IS DISTINCT FROM OLD.acquirer_id THEN
        RAISE EXCEPTION 'an attempt keeps the id of its charge' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.status = 'paid' AND NEW.status NOT IN ('paid', 'canceled') THEN
        RAISE EXCEPTION 'a paid attempt can only be canceled' USING ERRCODE = 'check_violation';
    END IF;
    IF OLD.ended_at IS NOT NULL AND NEW.ended_at IS NULL THEN
        RAISE EXCEPTION 'an attempt that has ended is not opened again' USING ERRCODE = 'check_violation';
    END IF;
    -- The token is valid for one charge, so it is deleted after its use.
    IF NEW.status = 'sent' OR NEW.ended_at IS NOT NULL THEN
        NEW.card_token := NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER order_attempt_guarded BEFORE UPDATE ON order_attempt
    FOR EACH ROW EXECUTE FUNCTION order_attempt_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON order_attempt
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- effects and exceptions

-- The effect handler `orders` starts after the last event, because no earlier event is about an order.
-- (`reactor` is an old name of an effect handler.)
INSERT INTO reactor_checkpoint (reactor, shard, position) SELECT 'orders', shard, position FROM log_shard;

-- Some exceptions need an action of staff outside the platform: an order that was paid twice, a charge without an
-- order. Staff close them by hand (`by_hand`), and no job retries them.
ALTER TABLE exception DROP CONSTRAINT exception_work_check;
ALTER TABLE exception DROP CONSTRAINT exception_next_try;
ALTER TABLE exception
    ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT exception_work_known CHECK (work IN ('payout', 'refund', 'mail', 'order_attempt')),
    ADD CONSTRAINT exception_next_try
        CHECK ((status = 'waiting' AND refund_id IS NULL AND work IS NULL AND NOT by_hand) = (next_try_at IS NOT NULL));
