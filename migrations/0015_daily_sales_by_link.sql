-- Volume by day knows the payment link, tells cancels, refunds and acquirers' reversals apart, and has what was settled.
--
-- Why: reports group by link and show each way in which money went back. The old rows can't be split, so the table and
-- those that move with it (`sale`, `agenda`) are emptied, and the followers fold the log anew, some ten thousand events a
-- second. Until they have caught up, lists and sums of sales are incomplete; readiness and metrics tell how far they are.

DROP TABLE daily_sales;
TRUNCATE sale, agenda;
UPDATE projection_checkpoint
   SET position = 0, poison = NULL, poison_position = NULL, moved_at = now()
 WHERE model = 'sales';

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
    -- Installments paid on their date, and their net. Those that a reversal accelerates are not among them.
    settled_count           bigint   NOT NULL CHECK (settled_count >= 0),
    settled                 bigint   NOT NULL,
    CONSTRAINT daily_sales_key UNIQUE NULLS NOT DISTINCT
        (business_id, business_date, solution, payment_type, card_brand, terminal_id, payment_link_code),
    CHECK (sales + cancels + refunds + acquirer_reversals + disputes + disputes_won + chargebacks + settled_count > 0),
    CHECK (gross = net + percentage_fee + flat_fee + percentage_rate + flat_rate)
) WITH (fillfactor = 70);

-- Staff's reports over every company.
CREATE INDEX daily_sales_by_date ON daily_sales (business_date, shard);
