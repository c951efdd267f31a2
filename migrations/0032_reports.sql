-- Reports: volume by number of installments, by hour, and by company and month; reversals by sale; the platform's fees.
--
-- Why: reports group by installments, show the last hours, and compare the months of a hundred thousand companies.
--
-- The old rows of the volume by day cannot be split. So this migration replaces their table, and empties `sale` and
-- `agenda`, which have the same checkpoint. The followers then read the log again, about ten thousand events a second.
-- Until they have caught up, lists and sums of sales are incomplete. Readiness and metrics show their progress.
--
-- The platform's fees are computed here from the journal, which stays as it is. The journal has the checkpoint of
-- `balance`. The first statement locks it too, so that the journal does not change during the migration.

UPDATE projection_checkpoint
   SET position = CASE model WHEN 'sales' THEN 0 ELSE position END,
       poison = CASE model WHEN 'sales' THEN NULL ELSE poison END,
       poison_position = CASE model WHEN 'sales' THEN NULL ELSE poison_position END,
       moved_at = now()
 WHERE model IN ('sales', 'balance');
DROP TABLE daily_sales;
TRUNCATE sale, agenda;

-- The volume by business date. Sales count on the day of their capture. Reversals and settlements count on the day on
-- which they happen, in separate columns, so that a past day never changes.
--
-- Rows are by company, and a company has one shard, so followers never wait for each other. At this version the
-- platform's figures are sums over companies. `payment_link_code` is NULL for a sale without a payment link.
CREATE TABLE daily_sales (
    shard                   smallint NOT NULL,
    business_id             uuid     NOT NULL,
    business_date           date     NOT NULL,
    solution                smallint NOT NULL,
    payment_type            text     NOT NULL,
    card_brand              text,
    installments            smallint NOT NULL CHECK (installments BETWEEN 1 AND 21),
    terminal_id             uuid,
    payment_link_code       text,
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
    CONSTRAINT daily_sales_key UNIQUE NULLS NOT DISTINCT
        (business_id, business_date, solution, payment_type, card_brand, installments, terminal_id, payment_link_code),
    CONSTRAINT daily_sales_not_empty
        CHECK (sales + cancels + refunds + acquirer_reversals + disputes + disputes_won + chargebacks + settled_count > 0),
    CONSTRAINT daily_sales_adds_up
        CHECK (gross = net + percentage_fee + flat_fee + percentage_rate + flat_rate)
) WITH (fillfactor = 70);

-- The staff's reports over all companies.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
CREATE INDEX daily_sales_by_link ON daily_sales (payment_link_code, business_id) WHERE payment_link_code IS NOT NULL;

-- The same by hour. Each company keeps its newest hour and the four days before it, because reports compare the last 48
-- hours with the 48 hours before them.
CREATE TABLE hourly_sales (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 70);
ALTER TABLE hourly_sales DROP COLUMN business_date;
ALTER TABLE hourly_sales ADD COLUMN business_hour timestamptz NOT NULL;
ALTER TABLE hourly_sales ADD CONSTRAINT hourly_sales_key UNIQUE NULLS NOT DISTINCT
    (business_id, business_hour, solution, payment_type, card_brand, installments, terminal_id, payment_link_code);
CREATE INDEX hourly_sales_by_hour ON hourly_sales (business_hour, shard);

-- The same by company and month, without the attributes of sales: one row for each month in which a company has volume.
CREATE TABLE monthly_sales (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 70);
ALTER TABLE monthly_sales
    DROP COLUMN business_date, DROP COLUMN solution, DROP COLUMN payment_type, DROP COLUMN card_brand,
    DROP COLUMN installments, DROP COLUMN terminal_id, DROP COLUMN payment_link_code;
-- The first day of the month.
ALTER TABLE monthly_sales ADD COLUMN month date NOT NULL CHECK (extract(day FROM month) = 1);
ALTER TABLE monthly_sales ADD CONSTRAINT monthly_sales_key UNIQUE (business_id, month);
CREATE INDEX monthly_sales_by_month ON monthly_sales (month, shard);

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

-- Finds the installments that a figure of settlements over all companies counts. Those of one company are found by the
-- index of its statement.
CREATE INDEX statement_line_settled ON statement_line (occurred_at, sale_id, installment)
    WHERE movement = 'settlement';

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
CREATE INDEX platform_fees_daily_by_date ON platform_fees_daily (business_date);

CREATE TABLE platform_fees_monthly (
    business_id uuid   NOT NULL,
    month       date   NOT NULL CHECK (extract(day FROM month) = 1),
    sales       bigint NOT NULL,
    withdrawals bigint NOT NULL CHECK (withdrawals >= 0),
    rentals     bigint NOT NULL,
    PRIMARY KEY (business_id, month)
) WITH (fillfactor = 70);
CREATE INDEX platform_fees_monthly_by_month ON platform_fees_monthly (month);

INSERT INTO platform_fees_daily (business_id, business_date, sales, withdrawals, rentals)
SELECT business_id, business_date,
       coalesce(sum(platform_fees) FILTER
           (WHERE event_type NOT IN ('TransferApproved', 'TerminalRentalCharged', 'TerminalRentalCanceled')), 0),
       coalesce(sum(platform_fees) FILTER (WHERE event_type = 'TransferApproved'), 0),
       coalesce(sum(platform_fees) FILTER
           (WHERE event_type IN ('TerminalRentalCharged', 'TerminalRentalCanceled')), 0)
  FROM journal WHERE platform_fees IS NOT NULL
 GROUP BY business_id, business_date;

INSERT INTO platform_fees_monthly (business_id, month, sales, withdrawals, rentals)
SELECT business_id, date_trunc('month', business_date::timestamp)::date, sum(sales), sum(withdrawals), sum(rentals)
  FROM platform_fees_daily GROUP BY 1, 2;
