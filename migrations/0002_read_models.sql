-- Read models: what lists, balances, statements and reports are answered from, so that no question folds history.
--
-- Everything here follows the log and may be dropped and rebuilt from it at any time; nothing here is the truth. Each
-- key holds its business (a business lives in one shard), so that the tables distribute as the log does. A model's
-- rows and its checkpoint move in one transaction, which is what makes each event count exactly once.

-- How far each model has followed each shard. A model that meets an event it cannot take stops there, with the
-- reason on the row, and waits for people: passing over an event would make a wrong balance look right.
CREATE TABLE projection_checkpoint (
    model           text        NOT NULL,
    shard           smallint    NOT NULL CHECK (shard >= 0),
    position        bigint      NOT NULL DEFAULT 0 CHECK (position >= 0),
    poison_position bigint      CHECK (poison_position > position),
    poison          text,
    moved_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (model, shard),
    CHECK ((poison IS NULL) = (poison_position IS NULL))
);

-- The follower moves these rows several times a second: room on the page keeps the updates in place.
ALTER TABLE projection_checkpoint SET (fillfactor = 50);

INSERT INTO projection_checkpoint (model, shard)
SELECT model, shard
  FROM unnest(ARRAY['sales', 'balance', 'statement', 'transfers']) AS model,
       generate_series(0, 15) AS shard;

-- One row a sale, as lists show it. `occurred_at` is what lists are ordered by: the capture where there was one, else
-- the creation, so that a sale stands on the day on which the roll-ups count it. `sequences` are the events of the
-- business that made the row; with those of the schedule they are the sale's timeline, read from the log itself.
CREATE TABLE sale (
    sale_id            uuid        NOT NULL,
    business_id        uuid        NOT NULL,
    provider           smallint    NOT NULL,
    external_id        text        NOT NULL,
    solution           smallint    NOT NULL,
    payment_type       text        NOT NULL,
    card_brand         text,
    installments       smallint    NOT NULL CHECK (installments BETWEEN 1 AND 21),
    amount             bigint      NOT NULL CHECK (amount > 0),
    status             text        NOT NULL,
    percentage_fee     bigint      NOT NULL DEFAULT 0,
    flat_fee           bigint      NOT NULL DEFAULT 0,
    percentage_rate    bigint      NOT NULL DEFAULT 0,
    flat_rate          bigint      NOT NULL DEFAULT 0,
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
    PRIMARY KEY (sale_id, business_id),
    CHECK ((net IS NULL) = (captured_at IS NULL)),
    CHECK ((net IS NULL) = (plan_id IS NULL)),
    CHECK (net IS NULL OR amount = net + percentage_fee + flat_fee + percentage_rate + flat_rate)
);

-- A company's list: pages, counts and sums of any filter are answered from the index alone.
CREATE INDEX sale_by_business ON sale (business_id, occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- Staff's list over every company.
CREATE INDEX sale_by_instant ON sale (occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- A card machine's sales are few among a company's.
CREATE INDEX sale_by_terminal ON sale (terminal_id, occurred_at, sale_id) WHERE terminal_id IS NOT NULL;
-- The rare outcomes are what people look for; found without walking past every success.
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id) WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id) WHERE status <> 'succeeded';

-- The promised schedule of a captured sale, once a sale rather than a row an instalment: instalment n stands at index
-- n of each array. `settled_by` holds the sequence of the event that paid it, null while open. Where the sale was
-- undone, `brought_forward_by` is the event that did it: the instalments that have it in `settled_by` were paid before
-- their date. Apart from the sale's row, so that a settlement touches neither that row nor its indexes.
CREATE TABLE sale_schedule (
    business_id        uuid     NOT NULL,
    sale_id            uuid     NOT NULL,
    due_dates          date[]   NOT NULL,
    gross              bigint[] NOT NULL,
    net                bigint[] NOT NULL,
    settled_by         bigint[] NOT NULL,
    brought_forward_by bigint,
    next_due_date      date,
    PRIMARY KEY (business_id, sale_id),
    CHECK (cardinality(due_dates) BETWEEN 1 AND 21),
    CHECK (cardinality(gross) = cardinality(due_dates)),
    CHECK (cardinality(net) = cardinality(due_dates)),
    CHECK (cardinality(settled_by) = cardinality(due_dates))
);

-- What the settlement job asks every minute: cheap when nothing is due, however many sales are settled.
CREATE INDEX sale_schedule_by_due_date ON sale_schedule (next_due_date, business_id, sale_id)
    WHERE next_due_date IS NOT NULL;

-- What a company is to receive each day, by the unit of receivables (acquirer, brand, means of payment). `expected`
-- is all that was promised for the day, `settled` the part paid out of it on that day, and `brought_forward` the part
-- paid before it because its sale was undone. `captured_on` are the business dates on which its sales were captured: a
-- handful, however many the sales, and enough to find them by the index of sales.
CREATE TABLE agenda (
    business_id           uuid     NOT NULL,
    due_date              date     NOT NULL,
    provider              smallint NOT NULL,
    card_brand            text,
    payment_type          text     NOT NULL,
    expected              bigint   NOT NULL,
    settled               bigint   NOT NULL,
    brought_forward       bigint   NOT NULL,
    instalments           bigint   NOT NULL,
    settled_count         bigint   NOT NULL,
    brought_forward_count bigint   NOT NULL,
    captured_on           date[]   NOT NULL,
    CONSTRAINT agenda_unit UNIQUE NULLS NOT DISTINCT (business_id, due_date, provider, card_brand, payment_type),
    -- Rows grow by differences, so only what holds of a difference too can be checked here; the audit checks the rest.
    CHECK (expected >= 0 AND settled >= 0 AND brought_forward >= 0),
    CHECK (instalments >= 0 AND settled_count >= 0 AND brought_forward_count >= 0)
) WITH (fillfactor = 70);

-- The balances of a company now. Postings are double entry, so the accounts cancel out on every row.
CREATE TABLE balance (
    business_id   uuid   PRIMARY KEY,
    receivable    bigint NOT NULL,
    available     bigint NOT NULL,
    in_transfer   bigint NOT NULL,
    held_by_staff bigint NOT NULL,
    in_dispute    bigint NOT NULL,
    platform_fees bigint NOT NULL,
    clearing      bigint NOT NULL,
    CHECK (receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees + clearing = 0)
) WITH (fillfactor = 70);

-- The double-entry journal: what each event posted to each account (null where it left the account alone; a row's
-- amounts cancel out), and every account after it, in the order of recording. One row an event rather than one a
-- posting, so that a capture costs one. It runs on from `balance`, and moves with it.
CREATE TABLE journal (
    business_id           uuid        NOT NULL,
    sequence              bigint      NOT NULL,
    event_id              uuid        NOT NULL,
    event_type            text        NOT NULL,
    occurred_at           timestamptz NOT NULL,
    recorded_at           timestamptz NOT NULL,
    business_date         date        NOT NULL,
    receivable            bigint,
    available             bigint,
    in_transfer           bigint,
    held_by_staff         bigint,
    in_dispute            bigint,
    platform_fees         bigint,
    clearing              bigint,
    receivable_balance    bigint      NOT NULL,
    available_balance     bigint      NOT NULL,
    in_transfer_balance   bigint      NOT NULL,
    held_by_staff_balance bigint      NOT NULL,
    in_dispute_balance    bigint      NOT NULL,
    platform_fees_balance bigint      NOT NULL,
    clearing_balance      bigint      NOT NULL,
    -- `recorded_at` never decreases along a business's events: so the key is in their order, and finds the balances as
    -- of an instant of recording without an index of their own.
    PRIMARY KEY (business_id, recorded_at, sequence),
    CHECK (coalesce(receivable, 0) + coalesce(available, 0) + coalesce(in_transfer, 0) + coalesce(held_by_staff, 0)
           + coalesce(in_dispute, 0) + coalesce(platform_fees, 0) + coalesce(clearing, 0) = 0),
    CHECK (receivable_balance + available_balance + in_transfer_balance + held_by_staff_balance + in_dispute_balance
           + platform_fees_balance + clearing_balance = 0)
);

-- The postings of a period, and those of a part of one day.
CREATE INDEX journal_by_date ON journal (business_id, business_date, sequence);
-- Captures, which are nearly all of a journal, leave these accounts alone: their postings are found without walking past
-- every capture.
CREATE INDEX journal_of_available ON journal (business_id, business_date, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer ON journal (business_id, business_date, sequence) WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff ON journal (business_id, business_date, sequence) WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute ON journal (business_id, business_date, sequence) WHERE in_dispute IS NOT NULL;

-- What each business date (America/Sao_Paulo) moved, by when things happened and not by when they were told: the
-- balance as of the end of any date is the sum up to it.
CREATE TABLE balance_daily (
    business_id   uuid   NOT NULL,
    business_date date   NOT NULL,
    receivable    bigint NOT NULL,
    available     bigint NOT NULL,
    in_transfer   bigint NOT NULL,
    held_by_staff bigint NOT NULL,
    in_dispute    bigint NOT NULL,
    platform_fees bigint NOT NULL,
    clearing      bigint NOT NULL,
    PRIMARY KEY (business_id, business_date),
    CHECK (receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees + clearing = 0)
) WITH (fillfactor = 70);

-- The platform's revenue of a period, over every company. No amounts in it, so that updates stay in place.
CREATE INDEX balance_daily_by_date ON balance_daily (business_date);

-- Every movement of the available balance, numbered from 1 in the order of recording, which is the order in which
-- `balance` runs.
CREATE TABLE statement_line (
    business_id   uuid        NOT NULL,
    number        bigint      NOT NULL CHECK (number > 0),
    kind          smallint    NOT NULL CHECK (kind BETWEEN 0 AND 4),
    amount        bigint      NOT NULL CHECK (amount <> 0),
    balance       bigint      NOT NULL,
    occurred_at   timestamptz NOT NULL,
    recorded_at   timestamptz NOT NULL,
    business_date date        NOT NULL,
    sequence      bigint      NOT NULL,
    -- The event behind it: several lines may have one.
    event_id      uuid        NOT NULL,
    -- What moved, within its kind.
    movement      text        NOT NULL,
    sale_id       uuid,
    installment   smallint,
    transfer_id   uuid,
    -- What staff or a bank wrote of it: a description, or a reason.
    note          text,
    PRIMARY KEY (business_id, number)
);

CREATE INDEX statement_line_by_date ON statement_line (business_id, business_date, number);
-- From a line to its event, by the id that people have of it.
CREATE INDEX statement_line_by_event ON statement_line (business_id, event_id);
-- The balance as of an instant of recording.
CREATE INDEX statement_line_by_recording ON statement_line (business_id, recorded_at, number);

-- Sums of the statement by date and kind, so that a period's totals cost its days and not its lines.
CREATE TABLE statement_daily (
    business_id   uuid     NOT NULL,
    business_date date     NOT NULL,
    kind          smallint NOT NULL CHECK (kind BETWEEN 0 AND 4),
    amount        bigint   NOT NULL,
    lines         bigint   NOT NULL CHECK (lines > 0),
    PRIMARY KEY (business_id, business_date, kind)
) WITH (fillfactor = 70);

-- One row a transfer: withdrawals (kind 0), staff's manual transfers (1), rentals of card machines (2). Statuses are
-- pending 0, approved 1, processing 2, refused 3, failed 4. `destination` is the JSON that the event has of it; a
-- rental has its terminal's serial number and the day on which it fell due.
CREATE TABLE transfer (
    transfer_id     uuid        NOT NULL,
    business_id     uuid        NOT NULL,
    kind            smallint    NOT NULL CHECK (kind BETWEEN 0 AND 2),
    status          smallint    NOT NULL CHECK (status BETWEEN 0 AND 4),
    amount          bigint      NOT NULL CHECK (amount > 0),
    fee             bigint      NOT NULL CHECK (fee BETWEEN 0 AND amount),
    destination     json,
    direction       text,
    terminal_serial text,
    rental_due_date date,
    description     text,
    reason          text,
    by_hand         boolean     NOT NULL,
    payout_id       uuid,
    approvals       smallint    NOT NULL CHECK (approvals >= 0),
    needs_attention boolean     NOT NULL,
    requested_by    text,
    requested_at    timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL CHECK (updated_at >= requested_at),
    PRIMARY KEY (transfer_id, business_id),
    CHECK ((destination IS NOT NULL) = (kind = 0)),
    CHECK ((direction IS NOT NULL) = (kind = 1)),
    CHECK ((terminal_serial IS NOT NULL) = (kind = 2)),
    CHECK ((rental_due_date IS NOT NULL) = (kind = 2))
) WITH (fillfactor = 90);

-- A company's list, and staff's over every company: pages and counts of any filter come from the index alone.
CREATE INDEX transfer_by_business ON transfer (business_id, requested_at, transfer_id) INCLUDE (kind, status);
CREATE INDEX transfer_by_instant ON transfer (requested_at, transfer_id) INCLUDE (kind, status, business_id);
-- What waits for staff, is being paid or did not succeed is rare among what was paid.
CREATE INDEX transfer_by_outcome ON transfer (status, requested_at, transfer_id) INCLUDE (kind, business_id, amount)
    WHERE status <> 1;
CREATE INDEX transfer_of_business_by_outcome ON transfer (business_id, status, requested_at, transfer_id)
    INCLUDE (kind) WHERE status <> 1;

-- Volume by business date, down to what reports group by. What was captured stands on the day of its capture; what was
-- undone of it stands on its own day, in columns of its own, so that a day of the past never changes: sales cancelled
-- (with what the buyers had paid and what the sellers gave back), disputes opened and won, and chargebacks. Kept by
-- shard and company, so that followers never wait for each other and the platform's figures are a sum over companies.
CREATE TABLE daily_sales (
    shard           smallint NOT NULL,
    business_id     uuid     NOT NULL,
    business_date   date     NOT NULL,
    solution        smallint NOT NULL,
    payment_type    text     NOT NULL,
    card_brand      text,
    terminal_id     uuid,
    sales           bigint   NOT NULL CHECK (sales >= 0),
    gross           bigint   NOT NULL,
    percentage_fee  bigint   NOT NULL,
    flat_fee        bigint   NOT NULL,
    percentage_rate bigint   NOT NULL,
    flat_rate       bigint   NOT NULL,
    net             bigint   NOT NULL,
    cancels         bigint   NOT NULL CHECK (cancels >= 0),
    canceled_gross  bigint   NOT NULL,
    canceled_net    bigint   NOT NULL,
    disputes        bigint   NOT NULL CHECK (disputes >= 0),
    disputed        bigint   NOT NULL,
    disputes_won    bigint   NOT NULL CHECK (disputes_won >= 0),
    won             bigint   NOT NULL,
    chargebacks     bigint   NOT NULL CHECK (chargebacks >= 0),
    charged_back    bigint   NOT NULL,
    CONSTRAINT daily_sales_key UNIQUE NULLS NOT DISTINCT
        (business_id, business_date, solution, payment_type, card_brand, terminal_id),
    CHECK (sales + cancels + disputes + disputes_won + chargebacks > 0),
    CHECK (gross = net + percentage_fee + flat_fee + percentage_rate + flat_rate)
) WITH (fillfactor = 70);

-- Staff's reports over every company.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
