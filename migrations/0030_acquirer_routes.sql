-- Routes: the ordered lists of acquirers that charge a company's sales, by solution and payment type. The next acquirer
-- is tried only if it is proven that the earlier ones charged nothing.
--
-- Rows are added and never changed. So the list that was in force at a disputed sale can be found later. The number of
-- the last row also detects a concurrent edit, which is refused.
--
-- A NULL list withdraws the one before. A company then uses the list of all companies, and that one falls back to the
-- installation's order. An empty list is different: no acquirer charges, so the payment type is not offered.

CREATE TABLE acquirer_route (
    -- NULL: the list is for all companies that have no list.
    business_id   uuid REFERENCES business (id),
    solution      smallint NOT NULL CHECK (solution BETWEEN 1 AND 4),
    payment_type  text NOT NULL CHECK (payment_type IN ('credit', 'pix', 'boleto')),
    -- Counts the rows of the list from 1.
    number        integer NOT NULL CHECK (number >= 1),
    providers     smallint[]
        CHECK (array_position(providers, NULL) IS NULL AND cardinality(providers) <= 8
               AND 1 <= ALL (providers) AND 8 >= ALL (providers)),
    valid_from    timestamptz NOT NULL,
    set_by        uuid NOT NULL REFERENCES admin_user (id),
    recorded_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE NULLS NOT DISTINCT (business_id, solution, payment_type, number)
);

CREATE FUNCTION acquirer_route_follows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    last_number      integer;
    last_valid_from  timestamptz;
BEGIN
    SELECT max(number), max(valid_from) INTO last_number, last_valid_from FROM acquirer_route
     WHERE business_id IS NOT DISTINCT FROM NEW.business_id
       AND (solution, payment_type) = (NEW.solution, NEW.payment_type);
    IF NEW.number <> coalesce(last_number, 0) + 1 OR NEW.valid_from < last_valid_from THEN
        RAISE EXCEPTION 'row % of a list of acquirers does not follow its last one', NEW.number
            USING ERRCODE = 'check_violation';
    END IF;
    IF cardinality(NEW.providers) <> (SELECT count(DISTINCT provider) FROM unnest(NEW.providers) AS provider) THEN
        RAISE EXCEPTION 'a list of acquirers names one twice' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER acquirer_route_follows BEFORE INSERT ON acquirer_route
    FOR EACH ROW EXECUTE FUNCTION acquirer_route_follows();
CREATE TRIGGER valid_from_now_on BEFORE INSERT ON acquirer_route
    FOR EACH ROW EXECUTE FUNCTION valid_from_now_on();
CREATE TRIGGER never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON acquirer_route
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();

-- ---------------------------------------------------------------- refunds of charges

-- Whether the platform itself charged the sale (`order_attempt`). Such a refund returns the whole charge, and its state
-- is looked up by the charge. All other sales were reported by their acquirer, and their refunds are looked up by the
-- refund's id.
ALTER TABLE refund ADD COLUMN charged boolean NOT NULL DEFAULT false;
