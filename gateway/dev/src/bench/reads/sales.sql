-- The read models that follow from the sales and their reversals.
--
-- Settlements happen at 12:00 UTC (nine in Brasília) on their due dates. The statement has their lines, and the lines
-- of reversals: the installments paid early and the amount taken back. Withdrawals are not taken out of the balances.
-- Only the company with a tenth of the sales has a journal, for the accountant's month. The log has no rows. Large
-- tables are filled in the order of their dates, as followers write them.

CREATE FUNCTION pg_temp.shard_of(business uuid) RETURNS smallint LANGUAGE sql IMMUTABLE RETURN
    (get_byte(sha256(uuid_send(business)), 0) % 16)::smallint;
CREATE FUNCTION pg_temp.day_of(at timestamptz) RETURNS date LANGUAGE sql STABLE RETURN
    (at AT TIME ZONE 'America/Sao_Paulo')::date;

-- Every installment that was paid, with the instant of its payment.
CREATE TEMP TABLE paid ON COMMIT DROP AS
SELECT sale.business_id, sale.sale_id, installment.number::smallint AS installment, installment.gross, installment.net,
       accelerated_by IS NOT NULL AS accelerated,
       coalesce(returned.occurred_at, installment.due_date + interval '12 hours') AS at
  FROM sale
 CROSS JOIN LATERAL unnest(due_dates, installment_gross, installment_net, settled_by)
                    WITH ORDINALITY AS installment (due_date, gross, net, settled_by, number)
  LEFT JOIN sale_return AS returned ON returned.sale_id = sale.sale_id AND returned.business_id = sale.business_id
 WHERE installment.settled_by IS NOT NULL;

INSERT INTO statement_line (business_id, number, kind, amount, balance, occurred_at, recorded_at, business_date, sequence,
                            event_id, movement, sale_id, installment, credited, debited)
SELECT business_id, row_number() OVER company, kind, amount, sum(amount) OVER company, at, at, pg_temp.day_of(at),
       row_number() OVER company, gen_random_uuid(), movement, sale_id, installment,
       sum(greatest(amount, 0)) OVER company, sum(greatest(-amount, 0)) OVER company
  FROM (SELECT business_id, 0::smallint AS kind, net AS amount, at,
               CASE WHEN accelerated THEN 'accelerated' ELSE 'settlement' END AS movement, sale_id, installment,
               0 AS place
          FROM paid
         UNION ALL
        SELECT business_id, 1::smallint, -net, occurred_at,
               CASE status WHEN 'canceled' THEN 'cancellation' ELSE 'refund' END, sale_id, NULL, 1
          FROM sale_return) AS line
WINDOW company AS (PARTITION BY business_id ORDER BY at, sale_id, place, installment)
 ORDER BY at;

INSERT INTO statement_daily (business_id, business_date, kind, amount, lines)
SELECT business_id, business_date, kind, sum(amount), count(*) FROM statement_line GROUP BY 1, 2, 3
 ORDER BY business_date;

-- The amounts that each capture, reversal and settlement adds to the sums of sales.
CREATE TEMP VIEW change AS
SELECT sale.business_id, moved.at, sale.solution, sale.payment_type, sale.card_brand, sale.installments,
       sale.terminal_id, sale.payment_link_code,
       (moved.what = 'sale')::int AS sales, CASE moved.what WHEN 'sale' THEN amount ELSE 0 END AS gross,
       CASE moved.what WHEN 'sale' THEN percentage_fee ELSE 0 END AS percentage_fee,
       CASE moved.what WHEN 'sale' THEN flat_fee ELSE 0 END AS flat_fee,
       CASE moved.what WHEN 'sale' THEN percentage_rate ELSE 0 END AS percentage_rate,
       CASE moved.what WHEN 'sale' THEN flat_rate ELSE 0 END AS flat_rate,
       CASE moved.what WHEN 'sale' THEN sale.net ELSE 0 END AS net,
       (moved.what = 'canceled')::int AS cancels,
       CASE moved.what WHEN 'canceled' THEN amount ELSE 0 END AS canceled_gross,
       CASE moved.what WHEN 'canceled' THEN sale.net ELSE 0 END AS canceled_net,
       (moved.what = 'refunded')::int AS refunds,
       CASE moved.what WHEN 'refunded' THEN amount ELSE 0 END AS refunded_gross,
       CASE moved.what WHEN 'refunded' THEN sale.net ELSE 0 END AS refunded_net,
       (moved.what = 'settled')::int AS settled_count,
       CASE moved.what WHEN 'settled' THEN moved.gross ELSE 0 END AS settled_gross,
       CASE moved.what WHEN 'settled' THEN moved.net ELSE 0 END AS settled
  FROM (SELECT sale_id, captured_at AS at, 'sale' AS what, amount AS gross, net FROM sale WHERE net IS NOT NULL
         UNION ALL SELECT sale_id, occurred_at, status, gross, net FROM sale_return
         UNION ALL SELECT sale_id, at, 'settled', gross, net FROM paid WHERE NOT accelerated) AS moved
  JOIN sale USING (sale_id);

INSERT INTO daily_sales
      (shard, business_id, business_date, solution, payment_type, card_brand, installments, terminal_id,
       payment_link_code, sales, gross, percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels,
       canceled_gross, canceled_net, refunds, refunded_gross, refunded_net, acquirer_reversals,
       acquirer_reversed_gross, acquirer_reversed_net, disputes, disputed, disputes_won, won, chargebacks,
       charged_back, settled_count, settled_gross, settled)
SELECT pg_temp.shard_of(business_id), business_id, pg_temp.day_of(at), solution, payment_type, card_brand, installments,
       terminal_id, payment_link_code, sum(sales), sum(gross), sum(percentage_fee), sum(flat_fee), sum(percentage_rate),
       sum(flat_rate), sum(net), sum(cancels), sum(canceled_gross), sum(canceled_net), sum(refunds), sum(refunded_gross),
       sum(refunded_net), 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(settled_count), sum(settled_gross), sum(settled)
  FROM change GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 3;

INSERT INTO hourly_sales
      (shard, business_id, business_hour, solution, payment_type, card_brand, installments, terminal_id,
       payment_link_code, sales, gross, percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels,
       canceled_gross, canceled_net, refunds, refunded_gross, refunded_net, acquirer_reversals,
       acquirer_reversed_gross, acquirer_reversed_net, disputes, disputed, disputes_won, won, chargebacks,
       charged_back, settled_count, settled_gross, settled)
SELECT pg_temp.shard_of(business_id), business_id, date_trunc('hour', at), solution, payment_type, card_brand,
       installments, terminal_id, payment_link_code, sum(sales), sum(gross), sum(percentage_fee), sum(flat_fee),
       sum(percentage_rate), sum(flat_rate), sum(net), sum(cancels), sum(canceled_gross), sum(canceled_net), sum(refunds),
       sum(refunded_gross), sum(refunded_net), 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(settled_count), sum(settled_gross),
       sum(settled)
  FROM change JOIN (SELECT business_id, date_trunc('hour', max(at)) AS newest FROM change GROUP BY 1) AS last
                   USING (business_id)
 WHERE at >= newest - interval '96 hours' GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 3;

DO $$
DECLARE
    sums text := 'sales, gross, percentage_fee, flat_fee, percentage_rate, flat_rate, net, cancels, canceled_gross,
        canceled_net, refunds, refunded_gross, refunded_net, acquirer_reversals, acquirer_reversed_gross,
        acquirer_reversed_net, disputes, disputed, disputes_won, won, chargebacks, charged_back, settled_count,
        settled_gross, settled';
    added text := regexp_replace(sums, '(\w+)', 'sum(\1)', 'g');
BEGIN
    EXECUTE format('INSERT INTO monthly_sales (shard, business_id, month, %s)
        SELECT shard, business_id, date_trunc(''month'', business_date::timestamp)::date, %s
          FROM daily_sales GROUP BY 1, 2, 3 ORDER BY 3', sums, added);
    EXECUTE format('INSERT INTO platform_sales_by_attribute
            (business_date, shard, solution, payment_type, card_brand, installments, %s)
        SELECT business_date, shard, solution, payment_type, card_brand, installments, %s
          FROM daily_sales GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
    EXECUTE format('INSERT INTO platform_sales_daily (business_date, shard, %s)
        SELECT business_date, shard, %s FROM platform_sales_by_attribute GROUP BY 1, 2', sums, added);
    EXECUTE format('INSERT INTO platform_sales_monthly (month, shard, %s)
        SELECT date_trunc(''month'', business_date::timestamp)::date, shard, %s
          FROM platform_sales_daily GROUP BY 1, 2', sums, added);
    EXECUTE format('INSERT INTO platform_sales_monthly_by_attribute
            (month, shard, solution, payment_type, card_brand, installments, %s)
        SELECT date_trunc(''month'', business_date::timestamp)::date, shard, solution, payment_type, card_brand,
               installments, %s
          FROM platform_sales_by_attribute GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
    EXECUTE format('INSERT INTO platform_sales_hourly (business_hour, shard, %s)
        SELECT business_hour, shard, %s
          FROM hourly_sales JOIN (SELECT shard, max(business_hour) AS newest FROM hourly_sales GROUP BY shard) AS last
                                 USING (shard)
         WHERE business_hour >= newest - interval ''96 hours'' GROUP BY 1, 2', sums, added);
    EXECUTE format('INSERT INTO platform_sales_hourly_by_attribute
            (business_hour, shard, solution, payment_type, card_brand, installments, %s)
        SELECT business_hour, shard, solution, payment_type, card_brand, installments, %s
          FROM hourly_sales JOIN (SELECT shard, max(business_hour) AS newest FROM hourly_sales GROUP BY shard) AS last
                                 USING (shard)
         WHERE business_hour >= newest - interval ''96 hours'' GROUP BY 1, 2, 3, 4, 5, 6', sums, added);
END $$;

INSERT INTO daily_outcomes
      (business_id, shard, business_date, status, sales, gross, captured, captured_gross, captured_net)
SELECT business_id, pg_temp.shard_of(business_id), pg_temp.day_of(occurred_at), status, count(*), sum(amount), count(net),
       coalesce(sum(amount) FILTER (WHERE net IS NOT NULL), 0), coalesce(sum(net), 0)
  FROM sale WHERE status NOT IN ('succeeded', 'pending') GROUP BY 1, 2, 3, 4;
INSERT INTO platform_outcomes_daily
      (business_date, shard, status, sales, gross, captured, captured_gross, captured_net)
SELECT business_date, shard, status, sum(sales), sum(gross), sum(captured), sum(captured_gross), sum(captured_net)
  FROM daily_outcomes GROUP BY 1, 2, 3;
INSERT INTO platform_outcomes_monthly
      (month, shard, status, sales, gross, captured, captured_gross, captured_net)
SELECT date_trunc('month', business_date::timestamp)::date, shard, status, sum(sales), sum(gross), sum(captured),
       sum(captured_gross), sum(captured_net)
  FROM platform_outcomes_daily GROUP BY 1, 2, 3;

INSERT INTO receivables_schedule (business_id, due_date, provider, card_brand, payment_type, expected, settled, accelerated,
                    installments, settled_count, accelerated_count, captured_on, open)
SELECT business_id, installment.due_date, provider, card_brand, payment_type, sum(installment.net),
       coalesce(sum(installment.net) FILTER (WHERE settled_by IS NOT NULL AND accelerated_by IS NULL), 0),
       coalesce(sum(installment.net) FILTER (WHERE accelerated_by IS NOT NULL), 0), count(*),
       count(*) FILTER (WHERE settled_by IS NOT NULL AND accelerated_by IS NULL),
       count(*) FILTER (WHERE accelerated_by IS NOT NULL),
       array_agg(DISTINCT pg_temp.day_of(captured_at)), bool_or(settled_by IS NULL)
  FROM (SELECT business_id, provider, card_brand, payment_type, captured_at, accelerated_by, due_dates, installment_net,
               settled_by AS paid_by FROM sale WHERE net IS NOT NULL) AS sold
 CROSS JOIN LATERAL unnest(due_dates, installment_net, paid_by) AS installment (due_date, net, settled_by)
 GROUP BY 1, 2, 3, 4, 5 ORDER BY 2;

INSERT INTO balance_daily (business_id, business_date, receivable, available, in_transfer, held_by_staff, in_dispute,
                           platform_fees, clearing)
SELECT business_id, business_date, sum(net - settled - canceled_net - refunded_net), sum(settled), 0, 0, 0,
       sum(gross - net - canceled_gross + canceled_net - refunded_gross + refunded_net),
       sum(canceled_gross + refunded_gross - gross)
  FROM daily_sales GROUP BY 1, 2 ORDER BY 2;

INSERT INTO balance (business_id, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing)
SELECT business_id, sum(receivable), sum(available), 0, 0, 0, sum(platform_fees), sum(clearing)
  FROM balance_daily GROUP BY 1;

INSERT INTO platform_fees_daily (business_id, business_date, sales, withdrawals, rentals)
SELECT business_id, business_date, platform_fees, 0, 0 FROM balance_daily WHERE platform_fees <> 0
 ORDER BY business_date;
INSERT INTO platform_fees_monthly (business_id, month, sales, withdrawals, rentals)
SELECT business_id, date_trunc('month', business_date::timestamp)::date, sum(sales), 0, 0
  FROM platform_fees_daily GROUP BY 1, 2 ORDER BY 2;
INSERT INTO platform_revenue_daily (business_date, shard, sales, withdrawals, rentals)
SELECT business_date, pg_temp.shard_of(business_id), sum(sales), 0, 0 FROM platform_fees_daily GROUP BY 1, 2;

-- The journal of the big company: captures, reversals, and the settlements of a day as one event.
INSERT INTO journal (business_id, sequence, event_id, event_type, occurred_at, recorded_at, business_date,
                     receivable, available, platform_fees, clearing, receivable_balance, available_balance,
                     in_transfer_balance, held_by_staff_balance, in_dispute_balance, platform_fees_balance,
                     clearing_balance)
SELECT business_id, row_number() OVER posted, gen_random_uuid(), event_type, at, at, pg_temp.day_of(at),
       receivable, available, fees, clearing, sum(receivable) OVER posted, coalesce(sum(available) OVER posted, 0),
       0, 0, 0, coalesce(sum(fees) OVER posted, 0), coalesce(sum(clearing) OVER posted, 0)
  FROM (SELECT business_id, 'SaleCaptured' AS event_type, captured_at AS at, net AS receivable, NULL::bigint AS available,
               amount - net AS fees, -amount AS clearing
          FROM sale WHERE net IS NOT NULL AND business_id = pg_temp.numbered('0193f0a0', 7)
         UNION ALL
        SELECT business_id, 'SaleCanceled', occurred_at, -net, NULL, net - gross, gross
          FROM sale_return WHERE business_id = pg_temp.numbered('0193f0a0', 7)
         UNION ALL
        SELECT business_id, 'ReceivablesSettled', max(at), -sum(net), sum(net), NULL, NULL
          FROM paid WHERE NOT accelerated AND business_id = pg_temp.numbered('0193f0a0', 7)
         GROUP BY business_id, pg_temp.day_of(at)) AS event
WINDOW posted AS (ORDER BY at, event_type ROWS UNBOUNDED PRECEDING);

-- Two withdrawals of each company, and of the big one as many as there are companies. One in a hundred waits.
INSERT INTO transfer (transfer_id, business_id, kind, status, amount, fee, destination, by_hand, approvals,
                      needs_attention, requested_at, updated_at, sequences)
SELECT gen_random_uuid(), business_id, 0, CASE WHEN number % 100 = 0 THEN 0 ELSE 1 END, 10000 + number % 5000, 350,
       '{"pix": {"key": "31415926000171"}}', false, 0, false, at, at, '{1}'
  FROM (SELECT number, now() - number * (interval '400 days' / (3 * (SELECT companies FROM size))) AS at,
               pg_temp.numbered('0193f0a0',
                   CASE WHEN number % 3 = 0 THEN 7 ELSE 1 + (number / 3) % (SELECT companies FROM size) END) AS business_id
          FROM generate_series(1, 3 * (SELECT companies FROM size)) AS number) AS asked;

-- The withdrawal whose composition is measured: of 10 installments in the small installation, and of 100,000 in the
-- large one.
WITH last AS (
    SELECT business_id, number, balance, credited, debited FROM statement_line
     WHERE business_id = pg_temp.numbered('0193f0a0', 7) ORDER BY number DESC LIMIT 1
), taken AS (
    SELECT max(credited) AS credited
      FROM (SELECT line.credited FROM statement_line AS line JOIN last USING (business_id)
             WHERE line.amount > 0 AND line.credited > last.debited
             ORDER BY line.number LIMIT CASE WHEN (SELECT companies FROM size) > 1000 THEN 100000 ELSE 10 END) AS first
), asked AS (
    INSERT INTO transfer (transfer_id, business_id, kind, status, amount, fee, destination, by_hand, approvals,
                          needs_attention, requested_at, updated_at, sequences)
    SELECT pg_temp.numbered('0193f0a9', 1), business_id, 0, 1, taken.credited - debited, 350,
           '{"pix": {"key": "31415926000171"}}', false, 0, false, now(), now(), '{1}'
      FROM last, taken
    RETURNING transfer_id, amount
)
INSERT INTO statement_line (business_id, number, kind, amount, balance, occurred_at, recorded_at, business_date, sequence,
                            event_id, movement, transfer_id, credited, debited, taker, taken)
SELECT business_id, number + 1, 2, -amount, balance - amount, now(), now(), pg_temp.day_of(now()), number + 1,
       gen_random_uuid(), 'withdrawal', transfer_id, credited, debited + amount, transfer_id, amount
  FROM last, asked;

-- Three holds for each company, a third of them of the big one. One in ten is open, and some of these are due.
INSERT INTO hold (business_id, hold_id, kind, amount, placed, released, paid, reason, review_on, documents, case_number,
                  placed_at, updated_at, ended_at)
SELECT pg_temp.numbered('0193f0a0', CASE WHEN number % 3 = 0 THEN 7 ELSE 1 + (number / 3) % (SELECT companies FROM size) END),
       pg_temp.numbered('0193f0aa', number), CASE WHEN judicial THEN 'judicial' ELSE 'analysis' END,
       CASE WHEN open THEN 1000 ELSE 0 END, 1000, CASE WHEN open THEN 0 ELSE 1000 END, 0, 'Motivo',
       pg_temp.day_of(now()) + number % 400 - 5, '{}', CASE WHEN judicial THEN number || '-77.2026' END, at, at,
       CASE WHEN NOT open THEN now() END
  FROM (SELECT number, number % 10 = 0 AS open, number % 50 = 0 AS judicial,
               now() - number * (interval '400 days' / (3 * (SELECT companies FROM size))) AS at
          FROM generate_series(1, 3 * (SELECT companies FROM size)) AS number) AS placed;
