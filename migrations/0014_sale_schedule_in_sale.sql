-- A sale's schedule stands in the sale's own row, as arrays.
--
-- Why: nearly every sale has one, so a second row with two indexes of its own doubled what a capture costs the followers.
-- Merged, and without the index of due dates, a window of captures takes 0.6 of the time and 0.7 of the WAL. A settlement
-- then changes no indexed column: the update stays on its page (HOT), which the fillfactor leaves room for, and needs 0.4
-- of the WAL. The settlement job finds what is due by the agenda's open days and the dates of capture that they name.
--
-- Measured and kept: the index of terminals (without it a machine's list reads every sale of its company) and the covered
-- columns of staff's index (without them a filtered count took ten times as long).
--
-- Existing rows are converted; nothing is folded anew.

ALTER TABLE sale RENAME TO old_sale;
ALTER TABLE old_sale RENAME CONSTRAINT sale_pkey TO old_sale_pkey;
ALTER INDEX sale_by_business RENAME TO old_sale_by_business;
ALTER INDEX sale_by_instant RENAME TO old_sale_by_instant;
ALTER INDEX sale_by_terminal RENAME TO old_sale_by_terminal;
ALTER INDEX sale_by_outcome RENAME TO old_sale_by_outcome;
ALTER INDEX sale_of_any_by_outcome RENAME TO old_sale_of_any_by_outcome;

-- `occurred_at` is what lists are ordered by: the capture where there was one, else the creation. `sequences` are the
-- events that made the row. Installment n of the schedule stands at index n of each array; `settled_by` holds the sequence
-- of the event that paid it, null while it is open. Where the sale was reversed, `accelerated_by` is the event that did
-- it: the installments that have it in `settled_by` were paid before their date. All five are null until the capture.
CREATE TABLE sale (
    sale_id            uuid        PRIMARY KEY,
    business_id        uuid        NOT NULL,
    provider           smallint    NOT NULL,
    external_id        text        NOT NULL,
    solution           smallint    NOT NULL,
    payment_type       text        NOT NULL,
    card_brand         text,
    installments       smallint    NOT NULL CHECK (installments BETWEEN 1 AND 21),
    amount             bigint      NOT NULL CHECK (amount > 0),
    status             text        NOT NULL,
    percentage_fee     bigint      NOT NULL,
    flat_fee           bigint      NOT NULL,
    percentage_rate    bigint      NOT NULL,
    flat_rate          bigint      NOT NULL,
    net                bigint      CHECK (net >= 0),
    plan_id            uuid,
    plan_name          text,
    plan_version       bigint,
    terminal_id        uuid,
    terminal_serial    text,
    payment_link_code  text,
    card_last_four     text,
    authorization_code text,
    failure_reason     text,
    occurred_at        timestamptz NOT NULL,
    created_at         timestamptz NOT NULL,
    captured_at        timestamptz,
    sequences          bigint[]    NOT NULL CHECK (cardinality(sequences) > 0),
    due_dates          date[]      CHECK (cardinality(due_dates) BETWEEN 1 AND 21),
    installment_gross  bigint[],
    installment_net    bigint[],
    settled_by         bigint[],
    accelerated_by     bigint,
    CONSTRAINT sale_net_when_captured CHECK ((net IS NULL) = (captured_at IS NULL)),
    CONSTRAINT sale_plan_when_captured CHECK ((net IS NULL) = (plan_id IS NULL)),
    CONSTRAINT sale_schedule_when_captured CHECK ((net IS NULL) = (due_dates IS NULL)),
    CONSTRAINT sale_adds_up
        CHECK (net IS NULL OR amount = net + percentage_fee + flat_fee + percentage_rate + flat_rate),
    CONSTRAINT sale_schedule_of_one_length
        CHECK (cardinality(installment_gross) IS NOT DISTINCT FROM cardinality(due_dates)
               AND cardinality(installment_net) IS NOT DISTINCT FROM cardinality(due_dates)
               AND cardinality(settled_by) IS NOT DISTINCT FROM cardinality(due_dates)),
    CONSTRAINT sale_accelerated_when_captured CHECK (accelerated_by IS NULL OR due_dates IS NOT NULL)
) WITH (fillfactor = 75);

INSERT INTO sale
SELECT sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments, amount, status,
       percentage_fee, flat_fee, percentage_rate, flat_rate, old_sale.net, plan_id, plan_name, plan_version, terminal_id,
       terminal_serial, payment_link_code, card_last_four, authorization_code, failure_reason, occurred_at, created_at,
       captured_at, sequences, due_dates, schedule.gross, schedule.net, settled_by, brought_forward_by
  FROM old_sale LEFT JOIN sale_schedule AS schedule USING (business_id, sale_id)
 ORDER BY occurred_at, sale_id;

DROP TABLE old_sale, sale_schedule;

-- A company's list: pages, counts and sums of any filter are answered from the index alone.
CREATE INDEX sale_by_business ON sale (business_id, occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- Staff's list over every company.
CREATE INDEX sale_by_instant ON sale (occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- A card machine's sales are few among a company's.
CREATE INDEX sale_by_terminal ON sale (terminal_id, occurred_at, sale_id) WHERE terminal_id IS NOT NULL;
-- The rare outcomes are found without reading every success.
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id) WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id) WHERE status <> 'succeeded';

-- Whether an installment of the row is still to be paid.
ALTER TABLE agenda ADD COLUMN open boolean;
UPDATE agenda SET open = instalments > settled_count + brought_forward_count;
ALTER TABLE agenda
    ALTER COLUMN open SET NOT NULL,
    ADD CONSTRAINT agenda_open_by_counts CHECK (open = (instalments > settled_count + brought_forward_count));
-- What the settlement job asks every minute. Its columns change only when the row's last installment is paid, so the
-- updates before that stay in place.
CREATE INDEX agenda_open ON agenda (due_date, business_id) WHERE open;
