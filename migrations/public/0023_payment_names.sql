-- The names of an order's payment, as the acquirer first answered them: a repeated report has the same content and is a
-- duplicate. Names that a later answer adds go to the ledger alone.
--
-- Locks `order_attempt` against everything while each row is entered in its chain again: 16 seconds for 100,000 attempts,
-- on two busy processors. Sales by link wait meanwhile.
ALTER TABLE order_attempt ADD COLUMN names jsonb CHECK (jsonb_typeof(names) = 'object');

SELECT chain_rows('order_attempt', '{sale_id}', 'business_id',
    '{card_token,challenge_url,decline,unpaid_at,cancel_asked_at,ends_as,status,tries,next_try_at,last_error,ended_at,
      handled_to}');
