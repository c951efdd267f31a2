-- Read models: tables from which lists, balances, statements and reports are read. No query folds events.
--
-- They are computed from the log, and can be dropped and rebuilt from it at any time. The log is the source of truth.
-- Why each key has the business or the shard: a business lives in one shard, so the tables can be distributed as the
-- log is, and followers of different shards never wait for each other's rows.
-- Why a model's rows and its checkpoint are written in one transaction: so each event counts exactly once.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- checkpoints

-- How far each model has read each shard. A model that cannot apply an event stops before it and stores the reason
-- here. It does not skip the event, because a wrong balance would then look right. An operator must fix the cause.
-- The follower updates these rows several times a second. Free space keeps the updates on their page (HOT).
CREATE TABLE projection_checkpoint (
    model           text        NOT NULL,
    shard           smallint    NOT NULL CHECK (shard >= 0),
    position        bigint      NOT NULL DEFAULT 0 CHECK (position >= 0),
    poison_position bigint      CHECK (poison_position > position),
    poison          text,
    moved_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (model, shard),
    CHECK ((poison IS NULL) = (poison_position IS NULL))
) WITH (fillfactor = 50);
INSERT INTO projection_checkpoint (model, shard)
SELECT model, shard
  FROM unnest(ARRAY['sales', 'balance', 'statement', 'transfers']) AS model,
       generate_series(0, 15) AS shard;

-- How far each effect handler has read each shard. At an event that it cannot apply (a poison event) it stops and
-- stores the reason, until an operator acts. Skipping the event could lose a payout or a refund.
CREATE TABLE effect_checkpoint (
    effect          text        NOT NULL,
    shard           smallint    NOT NULL REFERENCES log_shard,
    position        bigint      NOT NULL DEFAULT 0 CHECK (position >= 0),
    poison_position bigint      CHECK (poison_position > position),
    poison          text,
    moved_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (effect, shard),
    CHECK ((poison IS NULL) = (poison_position IS NULL))
) WITH (fillfactor = 50);
INSERT INTO effect_checkpoint (effect, shard)
SELECT effect, generate_series(0, 15) FROM unnest(ARRAY['orders', 'payouts', 'refunds']) AS effect;

-- ---------------------------------------------------------------- sales

-- One row per sale, as lists show it. Lists are ordered by `occurred_at`: the time of the capture, or of the creation
-- if the sale is not captured. `sequences` has the sequences of the events from which the row was computed.
--
-- The schedule is four arrays with installment n at index n. `settled_by` has the sequence of the event that paid the
-- installment, or NULL while it is open. `accelerated_by` is the sequence of the event that reversed the sale.
-- Installments with this sequence in `settled_by` were accelerated: paid before their due date.
-- The arrays and `accelerated_by` are NULL until the capture.
--
-- Why the schedule is in the row: nearly every sale has one. A second row with two indexes doubled the cost of a
-- capture for the followers. A settlement changes no indexed column, so its update stays on the page (HOT). The
-- fillfactor leaves room for such updates.
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
    -- Four amounts in cents, named by the specification: `_fee` are the fees of the payment type, `_rate` those of the
    -- plan.
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
    -- True: captured before staff approved the company, and held until they do.
    awaits_approval    boolean     NOT NULL DEFAULT false,
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

-- The list of a company: pages, counts and sums under any filter are read from the index alone.
CREATE INDEX sale_by_business ON sale (business_id, occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);

-- The staff's list over all companies.
CREATE INDEX sale_by_instant ON sale (occurred_at, sale_id)
    INCLUDE (status, solution, payment_type, card_brand, terminal_id, amount, net);

-- The sales of one terminal are a small part of a company's sales.
CREATE INDEX sale_by_terminal ON sale (terminal_id, occurred_at, sale_id) WHERE terminal_id IS NOT NULL;

-- Sales that did not succeed are rare: their lists and totals come from these indexes alone.
CREATE INDEX sale_by_outcome ON sale (business_id, status, occurred_at, sale_id)
    INCLUDE (solution, payment_type, card_brand, terminal_id, installments, payment_link_code, amount, net)
    WHERE status <> 'succeeded';
CREATE INDEX sale_of_any_by_outcome ON sale (status, occurred_at, sale_id)
    INCLUDE (business_id, solution, payment_type, card_brand, terminal_id, installments, payment_link_code, amount, net)
    WHERE status <> 'succeeded';

-- The approval of a company releases the holds on these sales.
CREATE INDEX sale_awaiting_approval ON sale (business_id, sale_id) WHERE awaits_approval;

-- The sales of a link, and their sums. Few sales have a link, and these indexes have only those.
CREATE INDEX sale_by_link ON sale (payment_link_code, occurred_at, sale_id) WHERE payment_link_code IS NOT NULL;

-- Leads from a reversal to the sale whose installments it paid. A closing finds overdue installments by it.
CREATE INDEX sale_by_acceleration ON sale (business_id, accelerated_by) INCLUDE (occurred_at)
    WHERE accelerated_by IS NOT NULL;

-- The reversals of sales: cancels, refunds, reversals by the acquirer, disputes (opened or won) and chargebacks.
-- Reports use it to list the sales that a figure of reversals counts, by day. `status` is that of the sale afterwards.
-- Few sales have such rows.
CREATE TABLE sale_return (
    business_id uuid        NOT NULL,
    occurred_at timestamptz NOT NULL,
    sale_id     uuid        NOT NULL,
    status      text        NOT NULL
        CHECK (status IN ('canceled', 'refunded', 'reversed', 'dispute', 'charged_back', 'succeeded')),
    returns     bigint      NOT NULL CHECK (returns > 0),
    gross       bigint      NOT NULL CHECK (gross > 0),
    -- The amount that the company loses: the sale's net if the platform returns its fees, else the gross.
    -- For a dispute that was won: the gross, which the company gets back.
    net         bigint      NOT NULL CHECK (net >= 0),
    CONSTRAINT sale_return_key UNIQUE (business_id, occurred_at, sale_id, status)
) WITH (fillfactor = 90);
CREATE INDEX sale_return_by_instant ON sale_return (occurred_at, sale_id);

-- ---------------------------------------------------------------- receivables

-- The receivables schedule: what a company is to receive on each day, by acquirer, card brand and payment type.
-- `expected` is all that is due on the day, and `settled` the part paid on that day. `accelerated`
-- is the part paid before the day because its sale was reversed. `captured_on` has the business dates on
-- which its sales were captured. They are few, and find the sales by the index of sales.
CREATE TABLE receivables_schedule (
    business_id           uuid     NOT NULL,
    due_date              date     NOT NULL,
    provider              smallint NOT NULL,
    card_brand            text,
    payment_type          text     NOT NULL,
    expected              bigint   NOT NULL,
    settled               bigint   NOT NULL,
    accelerated       bigint   NOT NULL,
    installments           bigint   NOT NULL,
    settled_count         bigint   NOT NULL,
    accelerated_count bigint   NOT NULL,
    captured_on           date[]   NOT NULL,
    -- Whether the row has an installment that is not paid yet.
    open                  boolean  NOT NULL,
    CONSTRAINT receivables_schedule_unit UNIQUE NULLS NOT DISTINCT (business_id, due_date, provider, card_brand, payment_type),
    -- An upsert adds differences to a row, and PostgreSQL also checks the difference. So only conditions that hold for
    -- a difference too can be checks. The audit checks the others.
    CHECK (expected >= 0 AND settled >= 0 AND accelerated >= 0),
    CHECK (installments >= 0 AND settled_count >= 0 AND accelerated_count >= 0),
    CONSTRAINT receivables_schedule_open_by_counts CHECK (open = (installments > settled_count + accelerated_count))
) WITH (fillfactor = 70);

-- The settlement job reads this index every minute. Settlements change `open` only when the row's last installment is
-- paid, so the updates before that stay on their page (HOT).
CREATE INDEX receivables_schedule_open ON receivables_schedule (due_date, business_id) WHERE open;

-- Finds the companies with receivables due on a day. The indexed columns of a row never change, so updates do not touch
-- the index. It costs the followers one index entry per receivable unit.
CREATE INDEX receivables_schedule_by_due_date ON receivables_schedule (due_date, provider, business_id);

-- ---------------------------------------------------------------- balances

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
    -- Nearly every event changes a balance. This column changes only with the balance's sign. So updates stay on their
    -- page (HOT) although an index depends on the column.
    is_negative   boolean NOT NULL GENERATED ALWAYS AS (available < 0) STORED,
    CHECK (receivable + available + in_transfer + held_by_staff + in_dispute + platform_fees + clearing = 0)
) WITH (fillfactor = 70);
CREATE INDEX balance_negative ON balance (business_id) WHERE is_negative;

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

-- The journal is read by one kind of time: when events occurred, or when they were recorded. The order of rows, the
-- running balance and the filter by period use the same time.
CREATE INDEX journal_by_occurrence ON journal (business_id, occurred_at, sequence);

-- Nearly all rows of a journal are captures, which do not change these four accounts. With partial indexes, a query for
-- postings of these accounts, by either time, reads no captures.
CREATE INDEX journal_of_available ON journal (business_id, occurred_at, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer ON journal (business_id, occurred_at, sequence) WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff ON journal (business_id, occurred_at, sequence) WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute ON journal (business_id, occurred_at, sequence) WHERE in_dispute IS NOT NULL;
CREATE INDEX journal_of_available_recorded ON journal (business_id, recorded_at, sequence) WHERE available IS NOT NULL;
CREATE INDEX journal_of_in_transfer_recorded ON journal (business_id, recorded_at, sequence)
    WHERE in_transfer IS NOT NULL;
CREATE INDEX journal_of_held_by_staff_recorded ON journal (business_id, recorded_at, sequence)
    WHERE held_by_staff IS NOT NULL;
CREATE INDEX journal_of_in_dispute_recorded ON journal (business_id, recorded_at, sequence)
    WHERE in_dispute IS NOT NULL;

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

-- ---------------------------------------------------------------- statement

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
CREATE INDEX statement_line_by_occurrence ON statement_line (business_id, occurred_at, number);

-- Finds an event by its id, which users copy from a line. The line has the sequence of the event.
CREATE INDEX statement_line_by_event ON statement_line (business_id, event_id);

-- The balance as of a time of recording.
CREATE INDEX statement_line_by_recording ON statement_line (business_id, recorded_at, number);

-- Finds the installments that a figure of settlements over all companies counts. Those of one company are found by the
-- index of its statement.
CREATE INDEX statement_line_settled ON statement_line (occurred_at, sale_id, installment)
    WHERE movement = 'settlement';

-- The statement's sums by date and kind. So the totals of a period read one row per day and kind, not every line.
CREATE TABLE statement_daily (
    business_id   uuid     NOT NULL,
    business_date date     NOT NULL,
    kind          smallint NOT NULL CHECK (kind BETWEEN 0 AND 4),
    amount        bigint   NOT NULL,
    lines         bigint   NOT NULL CHECK (lines > 0),
    PRIMARY KEY (business_id, business_date, kind)
) WITH (fillfactor = 70);

-- ---------------------------------------------------------------- transfers

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
    -- Who made the latest change: who refused, approved, reopened or canceled it.
    updated_by      text,
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

-- Counts and sums of transfers by the business date of their request, kind and status. So the cost of the figures of
-- the report of payments does not grow with the number of withdrawals.
--
-- A transfer whose status changes moves to another row of the same date. Rows that count no transfer are deleted.

CREATE TABLE daily_transfers (
    business_id   uuid     NOT NULL,
    shard         smallint NOT NULL,
    business_date date     NOT NULL,
    kind          smallint NOT NULL,
    status        smallint NOT NULL,
    transfers     bigint   NOT NULL,
    amount        bigint   NOT NULL,
    fee           bigint   NOT NULL,
    PRIMARY KEY (business_id, business_date, kind, status)
) WITH (fillfactor = 70);

-- The sums over all companies.
CREATE TABLE platform_transfers_daily (
    business_date date     NOT NULL,
    shard         smallint NOT NULL,
    kind          smallint NOT NULL,
    status        smallint NOT NULL,
    transfers     bigint   NOT NULL,
    amount        bigint   NOT NULL,
    fee           bigint   NOT NULL,
    PRIMARY KEY (business_date, shard, kind, status)
) WITH (fillfactor = 50);

-- ---------------------------------------------------------------- sales volume

-- The sums that each table of sales volume has. A template: it is dropped below.
--
-- Sales count on the day of their capture. Reversals and settlements count on the day on which they happen, in separate
-- columns, so that a past day never changes.
CREATE TABLE sales_volume (
    shard                   smallint NOT NULL,
    sales                   bigint   NOT NULL CHECK (sales >= 0),
    gross                   bigint   NOT NULL,
    percentage_fee          bigint   NOT NULL,
    flat_fee                bigint   NOT NULL,
    percentage_rate         bigint   NOT NULL,
    flat_rate               bigint   NOT NULL,
    net                     bigint   NOT NULL,
    -- Canceled by the platform or the seller.
    cancels                 bigint   NOT NULL CHECK (cancels >= 0),
    canceled_gross          bigint   NOT NULL,
    canceled_net            bigint   NOT NULL,
    -- Refunded by the acquirer at the buyer's request.
    refunds                 bigint   NOT NULL CHECK (refunds >= 0),
    refunded_gross          bigint   NOT NULL,
    refunded_net            bigint   NOT NULL,
    -- Reversed by the acquirer itself.
    acquirer_reversals      bigint   NOT NULL CHECK (acquirer_reversals >= 0),
    acquirer_reversed_gross bigint   NOT NULL,
    acquirer_reversed_net   bigint   NOT NULL,
    disputes                bigint   NOT NULL CHECK (disputes >= 0),
    disputed                bigint   NOT NULL,
    disputes_won            bigint   NOT NULL CHECK (disputes_won >= 0),
    won                     bigint   NOT NULL,
    chargebacks             bigint   NOT NULL CHECK (chargebacks >= 0),
    charged_back            bigint   NOT NULL,
    -- Installments that were paid because they were due, with their gross and net. Accelerated ones are not included.
    settled_count           bigint   NOT NULL CHECK (settled_count >= 0),
    settled_gross           bigint   NOT NULL,
    settled                 bigint   NOT NULL,
    CONSTRAINT daily_sales_not_empty
        CHECK (sales + cancels + refunds + acquirer_reversals + disputes + disputes_won + chargebacks + settled_count > 0),
    CONSTRAINT daily_sales_adds_up
        CHECK (gross = net + percentage_fee + flat_fee + percentage_rate + flat_rate)
);

-- By business date, by company and the attributes of sales. `payment_link_code` is NULL for a sale without a payment
-- link.
CREATE TABLE daily_sales (
    business_id             uuid     NOT NULL,
    business_date           date     NOT NULL,
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    terminal_id             uuid,
    payment_link_code       text,
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT daily_sales_key UNIQUE NULLS NOT DISTINCT
        (business_id, business_date, solution, payment_type, card_brand, installments, terminal_id, payment_link_code)
) WITH (fillfactor = 70);

-- The staff's reports over all companies.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
CREATE INDEX daily_sales_by_link ON daily_sales (payment_link_code, business_id) WHERE payment_link_code IS NOT NULL;

-- The same by hour. Each company keeps its newest hour and the four days before it, because reports compare the last 48
-- hours with the 48 hours before them.
CREATE TABLE hourly_sales (
    business_id             uuid     NOT NULL,
    business_hour           timestamptz NOT NULL,
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    terminal_id             uuid,
    payment_link_code       text,
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT hourly_sales_key UNIQUE NULLS NOT DISTINCT
        (business_id, business_hour, solution, payment_type, card_brand, installments, terminal_id, payment_link_code)
) WITH (fillfactor = 70);
CREATE INDEX hourly_sales_by_hour ON hourly_sales (business_hour, shard);

-- By company and month, without the attributes of sales: one row for each month in which a company has volume.
CREATE TABLE monthly_sales (
    business_id             uuid     NOT NULL,
    -- The first day of the month.
    month                   date     NOT NULL CHECK (extract(day FROM month) = 1),
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT monthly_sales_key UNIQUE (business_id, month)
) WITH (fillfactor = 70);
CREATE INDEX monthly_sales_by_month ON monthly_sales (month, shard);

-- ---------------------------------------------------------------- sums over all companies

-- For staff's figures and the totals of staff's lists. Their cost is the same after ten million sales of 100,000
-- companies as after ten thousand sales. There is a row for each shard, so that followers of different shards never
-- wait for each other's row locks. A follower adds the same changes to these rows as to the rows by company.
CREATE TABLE platform_sales_daily (
    business_date           date     NOT NULL,
    LIKE sales_volume INCLUDING CONSTRAINTS,
    PRIMARY KEY (business_date, shard)
) WITH (fillfactor = 50);

-- Each shard keeps its newest hour and the 96 hours before it, as each company does in `hourly_sales`.
CREATE TABLE platform_sales_hourly (
    business_hour           timestamptz NOT NULL,
    LIKE sales_volume INCLUDING CONSTRAINTS,
    PRIMARY KEY (business_hour, shard)
) WITH (fillfactor = 50);

-- By month: a query of a year by attributes would read hundreds of thousands of rows by day.
CREATE TABLE platform_sales_monthly (
    month                   date     NOT NULL CHECK (extract(day FROM month) = 1),
    LIKE sales_volume INCLUDING CONSTRAINTS,
    PRIMARY KEY (month, shard)
) WITH (fillfactor = 50);

-- The same by the attributes of sales.
CREATE TABLE platform_sales_by_attribute (
    business_date           date     NOT NULL,
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT platform_sales_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (business_date, shard, solution, payment_type, card_brand, installments)
) WITH (fillfactor = 50);

CREATE TABLE platform_sales_hourly_by_attribute (
    business_hour           timestamptz NOT NULL,
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT platform_sales_hourly_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (business_hour, shard, solution, payment_type, card_brand, installments)
) WITH (fillfactor = 50);

CREATE TABLE platform_sales_monthly_by_attribute (
    month                   date     NOT NULL CHECK (extract(day FROM month) = 1),
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    LIKE sales_volume INCLUDING CONSTRAINTS,
    CONSTRAINT platform_sales_monthly_by_attribute_key UNIQUE NULLS NOT DISTINCT
        (month, shard, solution, payment_type, card_brand, installments)
) WITH (fillfactor = 50);

DROP TABLE sales_volume;

-- ---------------------------------------------------------------- the platform's fees

-- The platform's revenue from each company by business date and by month: the postings to `platform_fees`.
CREATE TABLE platform_fees_daily (
    business_id   uuid   NOT NULL,
    business_date date   NOT NULL,
    -- The fees of captures, less those that reversals returned.
    sales         bigint NOT NULL,
    withdrawals   bigint NOT NULL CHECK (withdrawals >= 0),
    -- Rentals of terminals, less those that were returned.
    rentals       bigint NOT NULL,
    PRIMARY KEY (business_id, business_date)
) WITH (fillfactor = 70);

-- Finds companies with fees for withdrawals or rentals, without reading rows that have fees of sales only. Nearly every
-- row has fees of sales only: with 10 million sales of 100,000 companies, reading all rows doubled the report's time.
-- A capture changes no column of this index.
CREATE INDEX platform_fees_daily_other ON platform_fees_daily (business_date)
 WHERE withdrawals <> 0 OR rentals <> 0;

CREATE TABLE platform_fees_monthly (
    business_id uuid   NOT NULL,
    month       date   NOT NULL CHECK (extract(day FROM month) = 1),
    sales       bigint NOT NULL,
    withdrawals bigint NOT NULL CHECK (withdrawals >= 0),
    rentals     bigint NOT NULL,
    PRIMARY KEY (business_id, month)
) WITH (fillfactor = 70);
CREATE INDEX platform_fees_monthly_other ON platform_fees_monthly (month)
 WHERE withdrawals <> 0 OR rentals <> 0;

-- The sums over all companies.
CREATE TABLE platform_revenue_daily (
    business_date date     NOT NULL,
    shard         smallint NOT NULL,
    sales         bigint   NOT NULL,
    withdrawals   bigint   NOT NULL CHECK (withdrawals >= 0),
    rentals       bigint   NOT NULL,
    PRIMARY KEY (business_date, shard)
) WITH (fillfactor = 50);
