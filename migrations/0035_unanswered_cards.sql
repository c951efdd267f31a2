-- An index of card attempts that the acquirer has not answered yet. The check against card testing counts them before
-- it admits another card. So many cards at once cannot exceed its limit.

CREATE INDEX order_attempt_unanswered_card ON order_attempt (created_at)
    WHERE ended_at IS NULL AND payment_type = 'credit';
