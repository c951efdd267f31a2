-- Buyers of payment links: erasure of their data, their e-mails, and protection against card testing on a link.
--
-- Why an e-mail to a buyer has an empty `recipient`: the sender reads name and address from `order_buyer`. So an erased
-- buyer gets no more e-mails, and no row of `mail` contains the buyer's name or address.
-- Why the answers of acquirers have a table: its rows contain neither a buyer nor a card. A process that restarts still
-- knows the recent declines of each link.

-- ---------------------------------------------------------------- erasure

-- Whether the buyer's data still exist. It mirrors `order_buyer.erased_at` for the index below.
ALTER TABLE link_order ADD COLUMN has_buyer boolean NOT NULL DEFAULT true;
-- For the job that erases buyers: ended orders whose buyer is not erased yet.
CREATE INDEX link_order_with_buyer ON link_order (ended_at) WHERE has_buyer AND ended_at IS NOT NULL;

CREATE FUNCTION link_order_buyer_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE link_order SET has_buyer = false WHERE id = NEW.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER link_order_buyer_erased AFTER UPDATE ON order_buyer
    FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
    EXECUTE FUNCTION link_order_buyer_erased();

-- An acquirer's notice about a sale may name the buyer, so the exception's body is erased too.
ALTER TABLE exception ADD COLUMN body_erased boolean NOT NULL DEFAULT false;
CREATE INDEX exception_of_any_sale ON exception (sale_id) WHERE sale_id IS NOT NULL;
CREATE INDEX exception_with_body ON exception (ended_at) WHERE ended_at IS NOT NULL AND NOT body_erased;

-- Adds the setting `buyer_data_days`: for how many days after the end of an order its buyer's data are kept.
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

-- Whether the user gets an e-mail for each sale by payment link of their companies.
ALTER TABLE seller_user ADD COLUMN paid_link_emails boolean NOT NULL DEFAULT false;

-- ---------------------------------------------------------------- card testing

-- The answers of acquirers to cards on a link's page. They are kept for a day.
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
