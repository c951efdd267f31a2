-- Orders: what buyers of payment links want to pay, and the attempts to be paid for them.
--
-- Why an attempt is a sale: its id is the sale's id and the acquirer's idempotency key, so that an attempt that is sent
-- twice charges once. One attempt of an order is open at a time; another card, payment type or PIX code is another
-- attempt.
-- Why the buyer's data in rows of their own: they can be erased, and the ledger and the order stay whole.
-- Why an order and not the link says whether it holds a use: an order that ends twice must not give two uses back.

CREATE TABLE link_order (
    id            uuid PRIMARY KEY,
    -- What the buyer's addresses have: random, so that no order can be guessed.
    reference     text COLLATE "C" NOT NULL UNIQUE CHECK (reference ~ '^[0-9A-HJKMNP-TV-Z]{10}$'),
    link_id       uuid NOT NULL REFERENCES payment_link (id),
    business_id   uuid NOT NULL REFERENCES business (id),
    -- As the buyer read it. The link's own may change.
    description   text NOT NULL
        CHECK (description <> '' AND length(description) <= 120 AND description !~ '[[:cntrl:]]'),
    -- The link's amount, or the one that the buyer chose: what attempts are priced from.
    amount        bigint NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- Scheme and host of the page that it was placed on, for the buyer's return and for e-mails.
    panel_url     text NOT NULL CHECK (panel_url ~ '^https?://[^[:space:][:cntrl:]]+$' AND length(panel_url) <= 300),
    -- SHA-256 of the key of the request that placed it. A repeat gets this order.
    request_key   bytea NOT NULL CHECK (octet_length(request_key) = 32),
    status        text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'paid', 'expired', 'canceled')),
    -- Whether it counts among the link's uses.
    holds_use     boolean NOT NULL DEFAULT true,
    -- Since when no attempt is open, by the database's clock. It ends some time after.
    idle_since    timestamptz,
    -- The business's time.
    created_at    timestamptz NOT NULL,
    paid_at       timestamptz,
    ended_at      timestamptz,
    UNIQUE (link_id, request_key),
    CHECK ((status = 'open') = (ended_at IS NULL)),
    CHECK (status <> 'paid' OR paid_at IS NOT NULL),
    CHECK (status <> 'open' OR holds_use)
) WITH (fillfactor = 80);

-- A link's orders, and a company's.
CREATE INDEX link_order_of_link ON link_order (link_id, created_at);
CREATE INDEX link_order_of_business ON link_order (business_id, created_at, id);
-- The orders to end.
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
    -- A late payment is a fact: an order that ended unpaid can still be paid. None is opened again.
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

-- Erasing sets every value to null. It is final.
CREATE TABLE order_buyer (
    order_id      uuid PRIMARY KEY REFERENCES link_order (id),
    name          text CHECK (length(name) BETWEEN 1 AND 120),
    -- Without mask.
    document      text CHECK (document ~ '^([0-9]{11}|[0-9A-Z]{12}[0-9]{2})$'),
    email         text CHECK (length(email) BETWEEN 3 AND 254),
    phone         text CHECK (phone ~ '^[0-9]{10,11}$'),
    -- Boletos have an address.
    postal_code   text CHECK (postal_code ~ '^[0-9]{8}$'),
    street        text CHECK (length(street) BETWEEN 1 AND 120),
    number        text CHECK (length(number) BETWEEN 1 AND 20),
    complement    text CHECK (length(complement) BETWEEN 1 AND 60),
    district      text CHECK (length(district) BETWEEN 1 AND 80),
    city          text CHECK (length(city) BETWEEN 1 AND 80),
    state         text CHECK (state ~ '^[A-Z]{2}$'),
    -- Keyed hash of the request that placed the order: another body under the same key is refused.
    request_hash  bytea CHECK (octet_length(request_hash) = 32),
    erased_at     timestamptz,
    CHECK ((erased_at IS NULL) = (num_nulls(name, document, email, phone, request_hash) = 0)),
    CHECK (erased_at IS NULL OR num_nonnulls(name, document, email, phone, request_hash, postal_code, street, number,
                                             complement, district, city, state) = 0),
    CHECK (num_nulls(postal_code, street, number, district, city, state) IN (0, 6)),
    CHECK (complement IS NULL OR street IS NOT NULL)
) WITH (fillfactor = 90);

-- A person's orders, for erasing them.
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
    -- The sale's id, and the acquirer's idempotency key or reference.
    sale_id             uuid PRIMARY KEY,
    order_id            uuid NOT NULL REFERENCES link_order (id),
    -- From 1, within the order.
    number              integer NOT NULL CHECK (number >= 1),
    business_id         uuid NOT NULL,
    -- Who is asked to charge it. Another acquirer's charge is another attempt.
    provider            smallint NOT NULL CHECK (provider BETWEEN 1 AND 8),
    -- The acquirers to ask next, in this order, once it is proven that this one charged nothing.
    fallback            smallint[] NOT NULL DEFAULT '{}',
    payment_type        text NOT NULL CHECK (payment_type IN ('credit', 'pix', 'boleto')),
    installments        smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    -- What the buyer pays.
    total               bigint NOT NULL CHECK (total BETWEEN 1 AND 9999999999),
    -- As the buyer's browser read the card. The acquirer's word replaces it when it is paid.
    card_brand          text CHECK (card_brand <> '' AND card_brand !~ '[[:cntrl:]]'),
    card_last_four      text CHECK (card_last_four ~ '^[0-9]{4}$'),
    -- The acquirer's token, only until the charge is answered.
    card_token          text CHECK (length(card_token) BETWEEN 1 AND 500),
    -- Hashes of the request that made it; NULL for the first, which has the order's, and for a fall-back.
    request_key         bytea CHECK (octet_length(request_key) = 32),
    request_hash        bytea CHECK (octet_length(request_hash) = 32),
    -- The business's time: when the sale was created.
    ordered_at          timestamptz NOT NULL,
    -- When it is canceled if it was not paid.
    expires_at          timestamptz NOT NULL CHECK (expires_at > ordered_at),
    -- Boletos only.
    due_on              date,

    -- What the acquirer answered. Codes and lines are stored only once they were proven to agree with the order.
    acquirer_id         text CHECK (length(acquirer_id) BETWEEN 1 AND 200),
    pix_code            text CHECK (length(pix_code) BETWEEN 1 AND 1000),
    boleto_line         text CHECK (boleto_line ~ '^[0-9]{47}$'),
    boleto_barcode      text CHECK (boleto_barcode ~ '^[0-9]{44}$'),
    challenge_url       text CHECK (length(challenge_url) BETWEEN 1 AND 2000),
    decline             text CHECK (decline ~ '^[a-z_]{1,40}$'),
    -- The facts of the payment as first answered, so that a repeated report of them is the same report.
    paid_at             timestamptz,
    paid_brand          text CHECK (paid_brand <> '' AND paid_brand !~ '[[:cntrl:]]'),
    paid_last_four      text CHECK (paid_last_four ~ '^[0-9]{4}$'),
    authorization_code  text CHECK (length(authorization_code) BETWEEN 1 AND 40),
    -- When a state without a payment was first answered, for the same reason.
    unpaid_at           timestamptz,

    -- Set to have it canceled at the acquirer and looked up.
    cancel_asked_at     timestamptz,
    -- How it is going to end. Written before the ledger is told, which decides.
    ends_as             text CHECK (ends_as IN ('declined', 'expired', 'canceled', 'failed')),
    -- waiting: never sent. unknown: sent, or about to be, and nobody has said that it arrived: looked up before it is
    -- sent again. sent: the acquirer has it. failed: no acquirer could take it. The others are the sale's ends.
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

-- Two open attempts would be two payments.
CREATE UNIQUE INDEX order_attempt_open ON order_attempt (order_id) WHERE ended_at IS NULL;
CREATE INDEX order_attempt_due ON order_attempt (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX order_attempt_to_expire ON order_attempt (expires_at) WHERE ended_at IS NULL AND cancel_asked_at IS NULL;
-- A notice names the acquirer's id.
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
    -- The token is good for one charge.
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

-- No earlier event is about an order.
INSERT INTO reactor_checkpoint (reactor, shard, position) SELECT 'orders', shard, position FROM log_shard;

-- Staff act on some exceptions outside, and then close them: an order that was paid twice, a charge that no order has.
-- Nothing tries them again.
ALTER TABLE exception DROP CONSTRAINT exception_work_check;
ALTER TABLE exception DROP CONSTRAINT exception_next_try;
ALTER TABLE exception
    ADD COLUMN by_hand boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT exception_work_known CHECK (work IN ('payout', 'refund', 'mail', 'order_attempt')),
    ADD CONSTRAINT exception_next_try
        CHECK ((status = 'waiting' AND refund_id IS NULL AND work IS NULL AND NOT by_hand) = (next_try_at IS NOT NULL));
