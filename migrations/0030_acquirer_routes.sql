-- Which acquirer takes a company's sales, by solution and payment type: an ordered list, whose later acquirers are asked
-- only if an earlier one is proven not to have charged.
--
-- Why rows that are added and never changed: a disputed sale is explained by the list that was in force at its instant,
-- and two people who change a list at once are told by its number.
-- Why NULL lists: they return a company to the list of all companies, and that one to the installation's order. An empty
-- list is something else: nobody takes the sales, and the payment type is not offered.

CREATE TABLE acquirer_route (
    -- NULL: all companies without a list of their own.
    business_id   uuid REFERENCES business (id),
    solution      smallint NOT NULL CHECK (solution BETWEEN 1 AND 4),
    payment_type  text NOT NULL CHECK (payment_type IN ('credit', 'pix', 'boleto')),
    -- Counts the rows of the list.
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

-- Whether the platform charged the sale itself (`order_attempt`). Its refund returns the charge as a whole, and is looked
-- up by the charge. Other sales were reported by their acquirer: their refunds have an id of their own there.
ALTER TABLE refund ADD COLUMN charged boolean NOT NULL DEFAULT false;
