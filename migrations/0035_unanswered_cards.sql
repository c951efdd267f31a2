-- The cards that were sent and have no answer: the gate against card testing counts them before it lets another card
-- through, so that a burst of cards passes no more than its limit.

CREATE INDEX order_attempt_unanswered_card ON order_attempt (created_at)
    WHERE ended_at IS NULL AND payment_type = 'credit';
