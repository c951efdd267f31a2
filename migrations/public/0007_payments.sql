-- Payments: links and orders of buyers, the outboxes of payouts and refunds, and the exceptions queue.
--
-- An effect handler turns events into outbox rows and moves its checkpoint in the same transaction, so that each event
-- creates its row exactly once. A worker claims a row by postponing its next try. It reports the outcome to the ledger
-- as a command. These tables are never the source of truth about money.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- payment links

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

CREATE TABLE payment_link_opening (
    link_id        uuid NOT NULL REFERENCES payment_link (id),
    business_date  date NOT NULL,
    opened         bigint NOT NULL CHECK (opened >= 1),
    PRIMARY KEY (link_id, business_date)
) WITH (fillfactor = 50);

-- Sellers and staff search by the description and the code, and the search reads an index.
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

-- ---------------------------------------------------------------- orders

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
    -- Whether the order counts as a use of its link. An open order that stays unpaid gives its use back after minutes:
    -- else one unpaid order closes a link of one use for days.
    holds_use     boolean NOT NULL DEFAULT true,
    -- Whether the buyer's data still exist. It mirrors `order_buyer.erased_at` for an index.
    has_buyer     boolean NOT NULL DEFAULT true,
    -- Since when no attempt is open, by the database's clock. An order that is idle too long expires.
    idle_since    timestamptz,
    -- These three times are of the business clock.
    created_at    timestamptz NOT NULL,
    paid_at       timestamptz,
    ended_at      timestamptz,
    UNIQUE (link_id, request_key),
    CHECK ((status = 'open') = (ended_at IS NULL)),
    CHECK (status <> 'paid' OR paid_at IS NOT NULL)
) WITH (fillfactor = 80);

-- The lists of the orders of a link and of a company.
CREATE INDEX link_order_of_link ON link_order (link_id, created_at);
CREATE INDEX link_order_of_business ON link_order (business_id, created_at, id);

-- The idle orders, which a job expires.
CREATE INDEX link_order_idle ON link_order (idle_since) WHERE status = 'open' AND idle_since IS NOT NULL;

-- For the job that erases buyers: ended orders whose buyer is not erased yet.
CREATE INDEX link_order_with_buyer ON link_order (ended_at) WHERE has_buyer AND ended_at IS NOT NULL;
CREATE INDEX link_order_holds_use ON link_order (created_at) WHERE status = 'open' AND holds_use;

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

CREATE FUNCTION link_order_buyer_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link_order SET has_buyer = false WHERE id = NEW.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER link_order_buyer_erased AFTER UPDATE ON order_buyer
    FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
    EXECUTE FUNCTION link_order_buyer_erased();

-- ---------------------------------------------------------------- attempts to pay an order

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
    -- The PIX code of a boleto that can also be paid by PIX. It pays the same charge, and the printed boleto shows it
    -- too. Not in `pix_code`: that is the code of a PIX attempt, and buyers see such an attempt as a PIX payment.
    boleto_pix_code     text CHECK (length(boleto_pix_code) BETWEEN 1 AND 1000),
    challenge_url       text CHECK (length(challenge_url) BETWEEN 1 AND 2000),
    decline             text CHECK (decline ~ '^[a-z_]{1,40}$'),
    -- The facts of the payment as first answered. So a repeated report has the same content and is a duplicate.
    paid_at             timestamptz,
    paid_brand          text CHECK (paid_brand <> '' AND paid_brand !~ '[[:cntrl:]]'),
    paid_last_four      text CHECK (paid_last_four ~ '^[0-9]{4}$'),
    authorization_code  text CHECK (length(authorization_code) BETWEEN 1 AND 40),
    -- When each state after the payment was first answered, by the state's word. Some acquirers state no time, and a
    -- repeated report of one state must have one content.
    fact_times          jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(fact_times) = 'object'),
    -- Who named the card's brand: the buyer's browser alone, or the acquirer, before the charge (by its token), with
    -- it, or in a settlement file. NULL if it is no card.
    brand_source        text CHECK (brand_source IN ('buyer', 'token', 'charge', 'file')),
    -- When the attempt ended unpaid, as first answered. It is kept for the same reason.
    unpaid_at           timestamptz,

    -- Set to request a cancel. The worker then cancels the charge at the acquirer and looks it up.
    cancel_asked_at     timestamptz,
    -- An acquirer may have no cancellation for a charge: Zoop's PIX codes stay open until they expire. The order gives
    -- such an attempt up once its acquirer was asked to cancel it and still answers that it is open, and another
    -- attempt is added. If both are paid, staff are asked to refund one.
    given_up_at         timestamptz,
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
    -- The last event that the effect handler `orders` applied to the row, as in `payout`.
    handled_to          bigint CHECK (handled_to >= 1),
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
    CHECK (card_token IS NULL OR ended_at IS NULL),
    CHECK (boleto_line IS NOT NULL OR boleto_pix_code IS NULL),
    CONSTRAINT order_attempt_given_up_after_cancel CHECK (given_up_at IS NULL OR cancel_asked_at IS NOT NULL)
) WITH (fillfactor = 50);

-- An order has at most one open attempt that it has not given up, because the buyer could pay two.
CREATE UNIQUE INDEX order_attempt_open ON order_attempt (order_id) WHERE ended_at IS NULL AND given_up_at IS NULL;
CREATE INDEX order_attempt_given_up ON order_attempt (order_id) WHERE ended_at IS NULL AND given_up_at IS NOT NULL;
CREATE INDEX order_attempt_due ON order_attempt (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX order_attempt_to_expire ON order_attempt (expires_at) WHERE ended_at IS NULL AND cancel_asked_at IS NULL;

-- Notices name a charge by its id at the acquirer.
CREATE UNIQUE INDEX order_attempt_of_acquirer ON order_attempt (provider, acquirer_id) WHERE acquirer_id IS NOT NULL;

-- Card attempts that the acquirer has not answered yet. The check against card testing counts them before it admits
-- another card. So many cards at once cannot exceed its limit.
CREATE INDEX order_attempt_unanswered_card ON order_attempt (created_at)
    WHERE ended_at IS NULL AND payment_type = 'credit';

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

-- ---------------------------------------------------------------- card testing

-- The answers of acquirers to cards on a link's page. They are kept for a day. The rows contain neither a buyer nor a
-- card. A process that restarts still knows the recent declines of each link.
CREATE TABLE card_answer (
    link_id   uuid NOT NULL REFERENCES payment_link (id),
    -- The attempt's sale. A repeated notice of the same attempt counts once.
    sale_id   uuid PRIMARY KEY,
    declined  boolean NOT NULL,
    -- By the business clock.
    at        timestamptz NOT NULL
);
CREATE INDEX card_answer_of_link ON card_answer (link_id, at);
CREATE INDEX card_answer_by_time ON card_answer (at);

-- A period in which a link accepts no cards because of suspected card testing.
CREATE TABLE card_closure (
    id            uuid PRIMARY KEY,
    link_id       uuid NOT NULL REFERENCES payment_link (id),
    -- The number of declines that caused it.
    declines      integer NOT NULL CHECK (declines >= 1),
    closed_at     timestamptz NOT NULL,
    closed_until  timestamptz NOT NULL CHECK (closed_until > closed_at),
    reopened_at   timestamptz CHECK (reopened_at >= closed_at),
    reopened_by   uuid REFERENCES admin_user (id),
    CHECK ((reopened_at IS NULL) = (reopened_by IS NULL))
);
CREATE INDEX card_closure_of_link ON card_closure (link_id, closed_at);
CREATE INDEX card_closure_open ON card_closure (closed_until) WHERE reopened_at IS NULL;

CREATE FUNCTION card_closure_guarded() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.link_id, NEW.declines, NEW.closed_at, NEW.closed_until)
           IS DISTINCT FROM (OLD.id, OLD.link_id, OLD.declines, OLD.closed_at, OLD.closed_until)
       OR OLD.reopened_at IS NOT NULL THEN
        RAISE EXCEPTION 'a closed card form is only reopened, once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER card_closure_guarded BEFORE UPDATE ON card_closure
    FOR EACH ROW EXECUTE FUNCTION card_closure_guarded();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON card_closure
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- payouts

-- One row for each payout: one attempt to pay a withdrawal through a bank. It lasts from the ledger's event that the
-- withdrawal is being paid until the ledger's event with the outcome. Its id is the bank's idempotency key, so that an
-- order that is sent twice pays once.
CREATE TABLE payout (
    payout_id    uuid        PRIMARY KEY,
    transfer_id  uuid        NOT NULL,
    business_id  uuid        NOT NULL,
    -- The provider to which it was first sent. Only this provider is asked about it from then on. NULL: never sent.
    provider     text        CHECK (provider <> ''),
    -- The withdrawal less its fee, in cents.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    destination  json        NOT NULL,
    -- waiting: never sent. unknown: sent or about to be sent, without confirmation; the worker asks the bank about it
    -- before it sends it again. sent: the bank has it. paid, failed: the ledger recorded the outcome. unreadable: the
    -- program cannot read the row. It has not ended, because the ledger still expects an outcome, and staff can retry
    -- it.
    status       text        NOT NULL DEFAULT 'waiting'
                 CONSTRAINT payout_status_known
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'paid', 'failed', 'unreadable')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When to send it, or ask about it, next. A claim moves it past the longest call, so that no other worker takes it.
    next_try_at  timestamptz DEFAULT now(),
    -- The error code of the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    -- The last event that the effect handler applied to the row: its position in the shard of the company. If the
    -- handler's checkpoint is set back, the handler reads old events again and skips these.
    handled_to   bigint      CHECK (handled_to >= 1),
    CHECK ((status IN ('paid', 'failed')) = (ended_at IS NOT NULL)),
    CONSTRAINT payout_next_try CHECK ((status IN ('paid', 'failed', 'unreadable')) = (next_try_at IS NULL)),
    CONSTRAINT payout_sent_through
        CHECK (provider IS NOT NULL OR status IN ('waiting', 'paid', 'failed', 'unreadable'))
);

-- The ledger allows one payout in flight for each transfer. Two open rows would pay twice.
CREATE UNIQUE INDEX payout_in_flight ON payout (transfer_id) WHERE ended_at IS NULL;
CREATE INDEX payout_due ON payout (next_try_at) WHERE ended_at IS NULL;

-- The age of the oldest open row and the late rows, for the staff's home page, are read from one end of an index. The
-- creation time of a row never changes, so a retry costs no more.
CREATE INDEX payout_open ON payout (created_at, payout_id) WHERE ended_at IS NULL;

-- ---------------------------------------------------------------- refunds

-- One row for each request that the acquirer that captured a sale returns the buyer's money. It lasts from the ledger's
-- event that the platform canceled the sale until the acquirer's final answer. Its id is the acquirer's idempotency
-- key, so that a request that is sent twice refunds once.
CREATE TABLE refund (
    refund_id    uuid        PRIMARY KEY,
    sale_id      uuid        NOT NULL,
    -- The ledger's event causes attempt 1. Staff request a further one, only after the acquirer has finally refused the
    -- previous one.
    attempt      integer     NOT NULL DEFAULT 1 CHECK (attempt >= 1),
    business_id  uuid        NOT NULL,
    -- The acquirer that captured the sale, and the acquirer's id of the sale.
    provider     smallint    NOT NULL CHECK (provider BETWEEN 1 AND 8),
    external_id  text        NOT NULL CHECK (external_id <> ''),
    -- Whether the platform itself charged the sale (`order_attempt`). Such a refund returns the whole charge, and its
    -- state is looked up by the charge. All other sales were reported by their acquirer, and their refunds are looked
    -- up by the refund's id.
    charged      boolean     NOT NULL DEFAULT false,
    -- What the buyer paid, in cents.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- waiting: never sent. unknown: sent or about to be sent, without confirmation; the worker asks the acquirer about
    -- it before it sends it again. sent: the acquirer has it. done, refused: the acquirer's final answer.
    -- unreadable: as in `payout`.
    status       text        NOT NULL DEFAULT 'waiting'
                 CONSTRAINT refund_status_known
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'done', 'refused', 'unreadable')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When to send it, or ask about it, next. A claim moves it past the longest call, so that no other worker takes it.
    next_try_at  timestamptz DEFAULT now(),
    -- The error code of the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    -- The acquirer's text of its refusal.
    reason       text        CHECK (reason !~ '[[:cntrl:]]'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    -- As in `payout`.
    handled_to   bigint      CHECK (handled_to >= 1),
    UNIQUE (sale_id, attempt),
    CHECK ((status IN ('done', 'refused')) = (ended_at IS NOT NULL)),
    CONSTRAINT refund_next_try CHECK ((status IN ('done', 'refused', 'unreadable')) = (next_try_at IS NULL)),
    CHECK (reason IS NULL OR status = 'refused')
);

-- A sale has at most one refund that is open or done. Two would refund the buyer twice.
CREATE UNIQUE INDEX refund_once ON refund (sale_id) WHERE status <> 'refused';
CREATE INDEX refund_due ON refund (next_try_at) WHERE ended_at IS NULL;
CREATE INDEX refund_open ON refund (created_at, refund_id) WHERE ended_at IS NULL;

-- ---------------------------------------------------------------- exceptions

-- The exceptions queue. It holds signed notices that the ledger could not record at once. A notice is kept complete,
-- shown to staff, retried and never dropped. Bodies that fail authentication are never stored here.
-- It also holds refunds that an acquirer refused and outbox rows that the program cannot read, because the same staff
-- handle them. A refused refund is requested again only when staff decide so.
CREATE TABLE exception (
    id                 uuid PRIMARY KEY,
    -- NULL only for an outbox row.
    provider           smallint CHECK (provider BETWEEN 1 AND 8),
    notice_id          text NOT NULL,
    notice_type        text NOT NULL,
    -- SHA-256 of the notice in its canonical form. The same notice id with another body is another row.
    fingerprint        bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
    body               text NOT NULL,
    -- Why it could not be recorded: a code and its parameters, never a sentence.
    reason             text NOT NULL CHECK (reason ~ '^[a-z_]{1,60}$'),
    reason_parameters  json NOT NULL DEFAULT '{}',
    business_id        uuid,
    -- The company to which staff assigned the notice. It overrides the company in the notice.
    assigned_to        uuid REFERENCES business (id),
    sale_id            uuid,
    -- The refused refund request. NULL for a notice.
    refund_id          uuid,
    -- The table and the id of an outbox row that the program cannot read.
    work               text
        CONSTRAINT exception_work_known CHECK (work IN ('payout', 'refund', 'mail', 'order_attempt')),
    work_id            uuid,
    -- Needs an action of staff outside the platform: an order that was paid twice, a charge without an order. Staff
    -- close it by hand, and no job retries it.
    by_hand            boolean NOT NULL DEFAULT false,
    -- An acquirer's notice about a sale may name the buyer, so the body is erased with the buyer's data.
    body_erased        boolean NOT NULL DEFAULT false,
    received_at        timestamptz NOT NULL DEFAULT now(),
    tries              integer NOT NULL DEFAULT 1 CHECK (tries >= 1),
    last_tried_at      timestamptz NOT NULL DEFAULT now(),
    next_try_at        timestamptz,
    status             text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'resolved', 'closed')),
    -- How it ended, Of a resolved notice: 'recorded', or 'already' if the ledger had recorded it
    -- before. Of a resolved refund: 'asked_again' (requested again) or 'refunded'. If staff closed it: their reason.
    resolution         text,
    -- The admin user who acted last. NULL: no admin user has acted.
    handled_by         uuid,
    ended_at           timestamptz,
    UNIQUE (provider, notice_id, fingerprint),
    CONSTRAINT exception_of_work CHECK ((work IS NULL) = (work_id IS NULL)),
    CONSTRAINT exception_provider_known CHECK (provider IS NOT NULL OR work IS NOT NULL),
    CONSTRAINT exception_next_try
        CHECK ((status = 'waiting' AND refund_id IS NULL AND work IS NULL AND NOT by_hand) = (next_try_at IS NOT NULL)),
    CHECK ((status = 'waiting') = (ended_at IS NULL)),
    CHECK ((status = 'waiting') = (resolution IS NULL)),
    CHECK (status <> 'closed' OR handled_by IS NOT NULL)
);
CREATE INDEX exception_due ON exception (next_try_at) WHERE status = 'waiting';
CREATE INDEX exception_of_sale ON exception (sale_id) WHERE status = 'waiting';
CREATE INDEX exception_of_refund ON exception (refund_id) WHERE refund_id IS NOT NULL;
CREATE INDEX exception_newest ON exception (received_at DESC, id DESC);

-- An outbox row has at most one waiting exception.
CREATE UNIQUE INDEX exception_of_open_work ON exception (work, work_id) WHERE status = 'waiting';
CREATE INDEX exception_of_any_sale ON exception (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX exception_with_body ON exception (ended_at) WHERE ended_at IS NOT NULL AND NOT body_erased;
CREATE INDEX exception_waiting ON exception (received_at, id) WHERE status = 'waiting';
