-- Reports: volume by number of installments, by hour, and by company and month; reversals by sale; the platform's fees.
--
-- Why: reports group by installments, look at the last hours, and compare the months of a hundred thousand companies.
-- The old rows of the volume by day can't be split, so the table and those that move with it (`sale`, `agenda`) are
-- emptied, and the followers fold the log anew, some ten thousand events a second. Until they have caught up, lists and
-- sums of sales are incomplete; readiness and metrics tell how far they are. The platform's fees follow from the
-- journal, which moves with the balance, so that they are filled here.

UPDATE projection_checkpoint
   SET position = CASE model WHEN 'sales' THEN 0 ELSE position END,
       poison = CASE model WHEN 'sales' THEN NULL ELSE poison END,
       poison_position = CASE model WHEN 'sales' THEN NULL ELSE poison_position END,
       moved_at = now()
 WHERE model IN ('sales', 'balance');
DROP TABLE daily_sales;
TRUNCATE sale, agenda;

-- What was captured stands on the day of its capture. Reversals and settlements stand on their own day, in their own
-- columns, so that a day of the past never changes. Kept by shard and company, so that followers never wait for each
-- other and the platform's figures are a sum over companies. No payment link: null.
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
    -- By the platform or the seller.
    cancels                 bigint   NOT NULL CHECK (cancels >= 0),
    canceled_gross          bigint   NOT NULL,
    canceled_net            bigint   NOT NULL,
    -- Given back by the acquirer at the buyer's request.
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
    -- Installments paid on their date, their gross and their net. Those that a reversal accelerates are not among them.
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

-- Staff's reports over every company.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
CREATE INDEX daily_sales_by_link ON daily_sales (payment_link_code, business_id) WHERE payment_link_code IS NOT NULL;

-- The same by hour. Of each company only the last four days before its newest hour are kept: reports show the last 48
-- hours beside the 48 hours before them.
CREATE TABLE hourly_sales (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 70);
ALTER TABLE hourly_sales DROP COLUMN business_date;
ALTER TABLE hourly_sales ADD COLUMN business_hour timestamptz NOT NULL;
ALTER TABLE hourly_sales ADD CONSTRAINT hourly_sales_key UNIQUE NULLS NOT DISTINCT
    (business_id, business_hour, solution, payment_type, card_brand, installments, terminal_id, payment_link_code);
CREATE INDEX hourly_sales_by_hour ON hourly_sales (business_hour, shard);

-- The same by company and month, without the attributes of sales: a row for each month in which a company sells.
CREATE TABLE monthly_sales (LIKE daily_sales INCLUDING CONSTRAINTS) WITH (fillfactor = 70);
ALTER TABLE monthly_sales
    DROP COLUMN business_date, DROP COLUMN solution, DROP COLUMN payment_type, DROP COLUMN card_brand,
    DROP COLUMN installments, DROP COLUMN terminal_id, DROP COLUMN payment_link_code;
-- The first day of the month.
ALTER TABLE monthly_sales ADD COLUMN month date NOT NULL CHECK (extract(day FROM month) = 1);
ALTER TABLE monthly_sales ADD CONSTRAINT monthly_sales_key UNIQUE (business_id, month);
CREATE INDEX monthly_sales_by_month ON monthly_sales (month, shard);

-- Each cancel, refund, reversal, dispute (opened or won) and chargeback of a sale, so that the sales behind a figure of
-- reversals are found by its day. `status` is the one that the sale has after it. These are few among the sales.
CREATE TABLE sale_return (
    business_id uuid        NOT NULL,
    occurred_at timestamptz NOT NULL,
    sale_id     uuid        NOT NULL,
    status      text        NOT NULL
        CHECK (status IN ('canceled', 'refunded', 'reversed', 'dispute', 'charged_back', 'succeeded')),
    returns     bigint      NOT NULL CHECK (returns > 0),
    gross       bigint      NOT NULL CHECK (gross > 0),
    -- What is taken back from the company: the net if it gets its fees back.
    net         bigint      NOT NULL CHECK (net >= 0),
    CONSTRAINT sale_return_key UNIQUE (business_id, occurred_at, sale_id, status)
) WITH (fillfactor = 90);
CREATE INDEX sale_return_by_instant ON sale_return (occurred_at, sale_id);

-- The installments behind a figure of settlements, over all companies. One company's are found by its statement.
CREATE INDEX statement_line_settled ON statement_line (occurred_at, sale_id, installment)
    WHERE movement = 'settlement';

-- What the platform earns of each company by business date and by month: the postings to `platform_fees`.
CREATE TABLE platform_fees_daily (
    business_id   uuid   NOT NULL,
    business_date date   NOT NULL,
    -- The fees of captures, less those that reversals gave back.
    sales         bigint NOT NULL,
    withdrawals   bigint NOT NULL CHECK (withdrawals >= 0),
    -- Rentals of card machines, less those given back.
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
