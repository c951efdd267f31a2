-- After a restore: what the database knows of the payments that a bank made (docs/operations/backup.md).
--
--   psql --dbname razao -v ON_ERROR_STOP=1 -f payments.sql < payments.csv
--
-- As a superuser or the database's owner: the program's role may make no temporary table.
--
-- Each line of payments.csv is a payment of the bank's list since a day before the point of recovery: our reference
-- (`external_reference` at Iugu, a UUID with or without `pay_`), a comma, and the amount in cents.
\set QUIET on
CREATE TEMPORARY TABLE bank_payment (reference text, amount bigint);
\copy bank_payment FROM pstdin WITH (FORMAT csv)
SELECT paid.reference, paid.amount,
       CASE
           WHEN known.transfer_id IS NOT NULL THEN 'known: the program looks it up'
           WHEN alike.ids IS NOT NULL THEN 'its approval is lost: find it among these'
           ELSE 'its withdrawal is lost: take the money from the company'
       END AS answer,
       coalesce('trf_' || known.transfer_id, alike.ids) AS withdrawal
  FROM bank_payment AS paid
       LEFT JOIN LATERAL (
           SELECT transfer_id FROM payout WHERE payout_id = replace(paid.reference, 'pay_', '')::uuid
            UNION
           SELECT transfer_id FROM transfer WHERE payout_id = replace(paid.reference, 'pay_', '')::uuid
            LIMIT 1) AS known ON true
       LEFT JOIN LATERAL (
           SELECT string_agg('trf_' || transfer_id, ' ' ORDER BY transfer_id) AS ids FROM transfer
            WHERE known.transfer_id IS NULL AND payout_id IS NULL AND status = 0
              AND amount - fee = paid.amount) AS alike ON true
 ORDER BY known.transfer_id IS NOT NULL, paid.reference;
