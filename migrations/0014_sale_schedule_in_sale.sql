-- Moves the installment schedule of a sale from `sale_schedule` into the row of the sale, as arrays.
--
-- Why: nearly every sale has a schedule. A second row with two indexes doubled the cost of a capture for the followers.
-- In one row, and without the index of due dates, a window of captures takes 0.6 of the time and 0.7 of the WAL.
-- A settlement then changes no indexed column, so its update stays on the page (HOT) and needs 0.4 of the WAL.
-- The fillfactor leaves room for such updates.
--
-- The settlement job finds due installments without that index. `agenda` has the open days and their capture dates.
--
-- Two costs were measured and kept. Without the index of terminals, a terminal's list reads every sale of its company.
-- Without the included columns of the staff's index, a filtered count took ten times as long.
--
-- Existing rows are converted, so no read model is rebuilt.

ALTER TABLE sale RENAME TO old_sale;
ALTER TABLE old_sale RENAME CONSTRAINT sale_pkey TO old_sale_pkey;
ALTER INDEX sale_by_business RENAME TO old_sale_by_business;
ALTER INDEX sale_by_instant RENAME TO old_sale_by_instant;
ALTER INDEX sale_by_terminal RENAME TO old_sale_by_terminal;
ALTER INDEX sale_by_outcome RENAME TO old_sale_by_outcome;
ALTER INDEX sale_of_any_by_outcome RENAME TO old_sale_of_any_by_outcome;

-- Lists are ordered by `occurred_at`: the time of the capture, or of the creation if the sale is not captured.
-- `sequences` has the sequences of the events from which the row was computed.
--
-- The schedule is four arrays with installment n at index n. `settled_by` has the sequence of the event that paid the
-- installment, or NULL while it is open. `accelerated_by` is the sequence of the event that reversed the sale.
-- Installments with this sequence in `settled_by` were accelerated: paid before their due date.
-- The arrays and `accelerated_by` are NULL until the capture.
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

-- The list of a company: pages, counts and sums under any filter are read from the index alone.
CREATE INDEX sale_by_business ON sale (business_id, occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- The staff's list over all companies.
CREATE INDEX sale_by_instant ON sale (occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- The sales of one terminal are a small part of a company's sales.
CREATE INDEX sale_by_terminal ON sale (terminal_id, occurred_at, sale_id) WHERE terminal_id IS NOT NULL;
-- Finds sales that did not succeed without reading those that did. They are rare.
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id) WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id) WHERE status <> 'succeeded';

-- Whether the row has an installment that is not paid yet. (`brought_forward_count` counts accelerated installments.)
ALTER TABLE agenda ADD COLUMN open boolean;
UPDATE agenda SET open = instalments > settled_count + brought_forward_count;
ALTER TABLE agenda
    ALTER COLUMN open SET NOT NULL,
    ADD CONSTRAINT agenda_open_by_counts CHECK (open = (instalments > settled_count + brought_forward_count));
-- The settlement job reads this index every minute. Settlements change `open` only when the row's last installment is
-- paid, so the updates before that stay on their page (HOT).
CREATE INDEX agenda_open ON agenda (due_date, business_id) WHERE open;
