-- Read models: tables from which lists, balances, statements and reports are read. No query folds events.
--
-- They are computed from the log, and can be dropped and rebuilt from it at any time. The log is the source of truth.
-- Why each key has the business: a business lives in one shard, so the tables can be distributed as the log is.
-- Why a model's rows and its checkpoint are written in one transaction: so each event counts exactly once.

-- How far each model has read each shard. A model that cannot apply an event stops before it and stores the reason
-- here. It does not skip the event, because a wrong balance would then look right. An operator must fix the cause.
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

-- The follower updates these rows several times a second. Free space keeps the updates on their page (HOT).
ALTER TABLE projection_checkpoint SET (fillfactor = 50);

INSERT INTO projection_checkpoint (model, shard)
SELECT model, shard
  FROM unnest(ARRAY['sales', 'balance', 'statement', 'transfers']) AS model,
       generate_series(0, 15) AS shard;

-- One row per sale, as lists show it. Lists are ordered by `occurred_at`: the time of the capture, else of the
-- creation. So a sale is listed on the day on which the roll-ups count it. `sequences` are the business's events that
-- made the row. The sale's timeline reads from the log these events and those of the schedule's `settled_by`.
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
    -- Four amounts in cents, named by the specification: `_fee` are the fees of the payment type, `_rate` those of the
    -- plan.
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

-- A company's list. Any filter's pages, counts and sums read the index only.
CREATE INDEX sale_by_business ON sale (business_id, occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- Staff's list of all companies.
CREATE INDEX sale_by_instant ON sale (occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);
-- A terminal has few of its company's sales.
CREATE INDEX sale_by_terminal ON sale (terminal_id, occurred_at, sale_id) WHERE terminal_id IS NOT NULL;
-- Users mostly search for sales that did not succeed. They are rare, and a query should not scan the others.
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id) WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id) WHERE status <> 'succeeded';

-- The receivables of a captured sale. Installment n is at index n of each array: one row per sale instead of one per
-- installment. `settled_by` is the sequence of the event that paid the installment, or null while it is open.
-- `brought_forward_by` (today: accelerated by) is the event that reversed the sale. Installments that have it in
-- `settled_by` were paid before their due date.
-- Why a table apart from `sale`: a settlement then changes neither the sale's row nor its indexes.
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

-- For the settlement job, which runs every minute. Only rows with open installments are in the index.
CREATE INDEX sale_schedule_by_due_date ON sale_schedule (next_due_date, business_id, sale_id)
    WHERE next_due_date IS NOT NULL;

-- The receivables schedule: what a company is to receive on each day, by acquirer, card brand and payment type.
-- `expected` is all that is due on the day, and `settled` the part paid on that day. `brought_forward` (today:
-- accelerated) is the part paid before the day because its sale was reversed. `captured_on` has the business dates on
-- which its sales were captured. They are few, and find the sales by the index of sales.
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
    -- An upsert adds differences to a row, and PostgreSQL also checks the difference. So only conditions that hold for
    -- a difference too can be checks. The audit checks the others.
    CHECK (expected >= 0 AND settled >= 0 AND brought_forward >= 0),
    CHECK (instalments >= 0 AND settled_count >= 0 AND brought_forward_count >= 0)
) WITH (fillfactor = 70);

-- The current balances of a company. Postings are double entry, so the accounts of a row sum to zero.
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

-- The double-entry journal, in the order of recording: what each event posted to each account, and each account's
-- balance after it. An amount is null if the event did not change the account. A row's amounts sum to zero.
-- Why one row per event and not per posting: a capture then writes one row. The latest row has the balances of
-- `balance`, and both are written in one transaction.
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
    -- `recorded_at` never decreases along a business's events, so the key sorts them as `sequence` does. The key also
    -- finds the balances as of a time of recording, so that needs no other index.
    PRIMARY KEY (business_id, recorded_at, sequence),
    CHECK (coalesce(receivable, 0) + coalesce(available, 0) + coalesce(in_transfer, 0) + coalesce(held_by_staff, 0)
           + coalesce(in_dispute, 0) + coalesce(platform_fees, 0) + coalesce(clearing, 0) = 0),
    CHECK (receivable_balance + available_balance + in_transfer_balance + held_by_staff_balance + in_dispute_balance
           + platform_fees_balance + clearing_balance = 0)
);

-- The postings of a period, and of a part of one day.
CREATE INDEX journal_by_date ON journal (business_id, business_date, sequence);
-- Captures are nearly all rows of a journal, and do not change these accounts. A query of such an account's postings
-- should not scan the captures.
CREATE INDEX journal_of_available ON journal (business_id, business_date, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer ON journal (business_id, business_date, sequence) WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff ON journal (business_id, business_date, sequence) WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute ON journal (business_id, business_date, sequence) WHERE in_dispute IS NOT NULL;

-- The change of each account on each business date (America/Sao_Paulo). The date is that of the event, not of its
-- recording. The balance as of the end of a date is the sum up to that date.
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

-- The platform's revenue of a period, over all companies. The index has no amounts, so that updates stay on their page
-- (HOT).
CREATE INDEX balance_daily_by_date ON balance_daily (business_date);

-- Each change of the available balance, numbered from 1 in the order of recording. `balance` is the available balance
-- after the line in that order.
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
    -- The event that caused the line. One event can cause several lines.
    event_id      uuid        NOT NULL,
    -- The type of the line, more specific than its kind.
    movement      text        NOT NULL,
    sale_id       uuid,
    installment   smallint,
    transfer_id   uuid,
    -- A description or a reason that staff or a bank wrote.
    note          text,
    PRIMARY KEY (business_id, number)
);

CREATE INDEX statement_line_by_date ON statement_line (business_id, business_date, number);
-- Finds an event by its id, which users copy from a line. The line has the sequence of the event.
CREATE INDEX statement_line_by_event ON statement_line (business_id, event_id);
-- The balance as of a time of recording.
CREATE INDEX statement_line_by_recording ON statement_line (business_id, recorded_at, number);

-- The statement's sums by date and kind. So the totals of a period read one row per day and kind, not every line.
CREATE TABLE statement_daily (
    business_id   uuid     NOT NULL,
    business_date date     NOT NULL,
    kind          smallint NOT NULL CHECK (kind BETWEEN 0 AND 4),
    amount        bigint   NOT NULL,
    lines         bigint   NOT NULL CHECK (lines > 0),
    PRIMARY KEY (business_id, business_date, kind)
) WITH (fillfactor = 70);

-- One row per transfer. Kinds: withdrawal 0, manual transfer by staff 1, rental of a card machine 2.
-- Statuses: pending 0, approved 1 (paid), processing 2 (being paid), refused 3, failed 4. `destination` is the event's
-- JSON. A rental has the serial number of its terminal and its due date.
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
    -- Whether staff pay it without a payout. Also true of manual transfers.
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

-- A company's list, and staff's list of all companies. Any filter's pages and counts read the index only.
CREATE INDEX transfer_by_business ON transfer (business_id, requested_at, transfer_id) INCLUDE (kind, status);
CREATE INDEX transfer_by_instant ON transfer (requested_at, transfer_id) INCLUDE (kind, status, business_id);
-- Most transfers are approved. The others are rare, and a query of them should not scan the approved ones.
CREATE INDEX transfer_by_outcome ON transfer (status, requested_at, transfer_id) INCLUDE (kind, business_id, amount)
    WHERE status <> 1;
CREATE INDEX transfer_of_business_by_outcome ON transfer (business_id, status, requested_at, transfer_id)
    INCLUDE (kind) WHERE status <> 1;

-- Sales volume by business date and by what reports group by. Captures count on the day of the capture. Reversals count
-- on their own day, in their own columns. So a later reversal does not change a past day. At this version, `cancels`
-- also counts refunds and acquirers' reversals. `canceled_gross` is what the buyers had paid, and `canceled_net` what
-- the sellers gave back. `disputes_won` and `won` count disputes that the seller won.
-- Why rows by shard and company: followers then never wait for each other. The platform's figures are sums over
-- companies.
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

-- Staff's reports of all companies.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
