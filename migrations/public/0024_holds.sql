-- A court's money needs two people: the requests of adjustments also have what to do with a hold. A release of another
-- hold that waits for a second person names the hold too.
--
-- Takes an exclusive lock on `adjustment_request` and reads its few rows.

SET LOCAL lock_timeout = '30s';

ALTER TABLE adjustment_request
    -- What an approval does with a hold.
    ADD COLUMN hold json,
    DROP CONSTRAINT adjustment_request_kind_check,
    ADD CONSTRAINT adjustment_request_kind_check CHECK (kind IN (
        'credit', 'removal', 'release', 'plan', 'court_order', 'court_release', 'court_payment')),
    DROP CONSTRAINT adjustment_request_amount_check,
    ADD CONSTRAINT adjustment_request_amount_check CHECK (
        amount BETWEEN 1 AND 9999999999 OR (amount = 0 AND kind = 'court_release'));

CREATE OR REPLACE FUNCTION adjustment_request_only_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (NEW.id, NEW.kind, NEW.business_id, NEW.amount, NEW.reason, NEW.allow_negative, NEW.plans::text,
        NEW.hold::text, NEW.requested_by, NEW.requested_at, NEW.idempotency_key, NEW.fingerprint)
           IS DISTINCT FROM (OLD.id, OLD.kind, OLD.business_id, OLD.amount, OLD.reason, OLD.allow_negative,
        OLD.plans::text, OLD.hold::text, OLD.requested_by, OLD.requested_at, OLD.idempotency_key, OLD.fingerprint)
       OR NOT (CASE OLD.status
                   WHEN 'pending' THEN NEW.status IN ('approved', 'rejected', 'withdrawn', 'expired')
                   WHEN 'approved' THEN NEW.status IN ('recorded', 'refused')
                        AND (NEW.decided_by, NEW.decided_at) = (OLD.decided_by, OLD.decided_at)
                        AND NEW.decision_reason IS NOT DISTINCT FROM OLD.decision_reason
                   ELSE false
               END) THEN
        RAISE EXCEPTION 'the request of an adjustment is decided once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;

SELECT chain_rows('adjustment_request', '{id}', 'business_id', '{}');

-- A request from before holds had ids releases from what was held then.
ALTER TABLE adjustment_request DISABLE TRIGGER adjustment_request_only_decided;
UPDATE adjustment_request
   SET hold = '{"action": "release", "hold_id": "hld_00000000-0000-0000-0000-000000000002", "judicial": false}'
 WHERE kind = 'release';
ALTER TABLE adjustment_request ENABLE TRIGGER adjustment_request_only_decided;

ALTER TABLE adjustment_request
    ADD CONSTRAINT adjustment_request_hold CHECK (
        (kind IN ('release', 'court_order', 'court_release', 'court_payment')) = (hold IS NOT NULL));
