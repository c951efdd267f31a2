-- The late charges, for the number on the staff's home page and its list: they are read from one end of this index, as
-- late payouts and refunds are. A PIX code or a boleto that waits for its buyer is never late, and most open attempts
-- are those, so they have no entry. `ORDER_ATTEMPTS.can_be_late` (gateway/platform/src/outboxes.rs) implies its
-- condition.
--
-- Locks `order_attempt` against writes while it is read once: about a second for a million attempts. Sales by link wait
-- meanwhile.

CREATE INDEX order_attempt_can_be_late ON order_attempt (created_at, sale_id)
    WHERE ended_at IS NULL
      AND (status <> 'sent' OR payment_type = 'credit' OR last_error IS NOT NULL OR cancel_asked_at IS NOT NULL);
