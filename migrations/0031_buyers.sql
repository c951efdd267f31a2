-- Buyers of payment links: when their data are erased, which e-mails they get, and card testing on a link.
--
-- Why an e-mail to a buyer has no recipient: name and address are read from `order_buyer` when it is sent, so that an
-- erased buyer gets no more mail and is in no row of it. Its `recipient` is empty.
-- Why answers of acquirers are counted in rows of their own: they have neither a buyer nor a card, and a process that
-- starts again still knows who is trying cards.

-- ---------------------------------------------------------------- erasing

-- Whether its buyer is not erased. A copy of `order_buyer.erased_at`, for the index below.
ALTER TABLE link_order ADD COLUMN has_buyer boolean NOT NULL DEFAULT true;
-- The orders whose buyers are erased next.
CREATE INDEX link_order_with_buyer ON link_order (ended_at) WHERE has_buyer AND ended_at IS NOT NULL;

CREATE FUNCTION link_order_buyer_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link_order SET has_buyer = false WHERE id = NEW.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER link_order_buyer_erased AFTER UPDATE ON order_buyer
    FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
    EXECUTE FUNCTION link_order_buyer_erased();

-- What an acquirer reported about a sale may name its buyer.
ALTER TABLE exception ADD COLUMN body_erased boolean NOT NULL DEFAULT false;
CREATE INDEX exception_of_any_sale ON exception (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX exception_with_body ON exception (ended_at) WHERE ended_at IS NOT NULL AND NOT body_erased;

-- The days after the end of an order for which its buyer's data are kept.
ALTER TABLE platform_setting DROP CONSTRAINT platform_setting_check2;
ALTER TABLE platform_setting ADD CONSTRAINT platform_setting_value_known
    CHECK (CASE key
               WHEN 'terminal_rental' THEN value BETWEEN 1 AND 9999999999
               WHEN 'two_approvals_above' THEN value BETWEEN 0 AND 9999999999
               WHEN 'two_person_plan_changes' THEN value IN (0, 1)
               WHEN 'marked_destination_days' THEN value BETWEEN 0 AND 90
               WHEN 'buyer_data_days' THEN value BETWEEN 180 AND 3653
               ELSE false
           END);

-- ---------------------------------------------------------------- e-mails

-- Whether the user gets an e-mail for each sale by link of their companies.
ALTER TABLE seller_user ADD COLUMN paid_link_emails boolean NOT NULL DEFAULT false;

-- ---------------------------------------------------------------- card testing

-- Each answer of an acquirer to a card on a link's page, for a day.
CREATE TABLE card_answer (
    link_id   uuid NOT NULL REFERENCES payment_link (id),
    -- Of the attempt. A repeated report of it counts once.
    sale_id   uuid PRIMARY KEY,
    declined  boolean NOT NULL,
    -- The business's time.
    at        timestamptz NOT NULL
);
CREATE INDEX card_answer_of_link ON card_answer (link_id, at);
CREATE INDEX card_answer_by_time ON card_answer (at);

-- A time in which a link takes no cards, because somebody tried cards there.
CREATE TABLE card_closure (
    id            uuid PRIMARY KEY,
    link_id       uuid NOT NULL REFERENCES payment_link (id),
    -- The declines that led to it.
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
