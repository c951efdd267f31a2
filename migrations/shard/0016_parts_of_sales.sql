-- A sale may be refunded, disputed and charged back in parts. What parts took from its installments is kept by event, so
-- that a past month's open receivables follow from the row.
--
-- Takes an exclusive lock on `sale` for milliseconds: the new columns have constant defaults, so no row is written. No
-- sale has parts yet, so the index is empty, but its table is read once: about a second for a million sales.

SET LOCAL lock_timeout = '30s';

ALTER TABLE sale
    ADD COLUMN part_refunds         integer    NOT NULL DEFAULT 0,
    ADD COLUMN refunded             bigint     NOT NULL DEFAULT 0,
    ADD COLUMN refunded_net         bigint     NOT NULL DEFAULT 0,
    ADD COLUMN part_chargebacks     integer    NOT NULL DEFAULT 0,
    ADD COLUMN charged_back         bigint     NOT NULL DEFAULT 0,
    -- The amount of the open dispute, if it is of a part.
    ADD COLUMN disputed             bigint,
    -- One element of each array for an installment and an event that took a part of it: the event's sequence, the
    -- installment's number, the net that was taken.
    ADD COLUMN consumed_by          bigint[]   NOT NULL DEFAULT '{}',
    ADD COLUMN consumed_installment smallint[] NOT NULL DEFAULT '{}',
    ADD COLUMN consumed_net         bigint[]   NOT NULL DEFAULT '{}',
    ADD CONSTRAINT sale_parts_of_amount
        CHECK (refunded >= 0 AND charged_back >= 0 AND refunded + charged_back <= amount),
    ADD CONSTRAINT sale_parts_of_net CHECK (refunded_net BETWEEN 0 AND coalesce(net, 0)),
    ADD CONSTRAINT sale_parts_counted
        CHECK ((part_refunds > 0) = (refunded > 0) AND (part_chargebacks > 0) = (charged_back > 0)),
    ADD CONSTRAINT sale_disputed_in_part CHECK (disputed IS NULL OR status = 'dispute'),
    ADD CONSTRAINT sale_consumed_of_one_length
        CHECK (cardinality(consumed_installment) = cardinality(consumed_by)
               AND cardinality(consumed_net) = cardinality(consumed_by));

CREATE INDEX sale_with_consumed ON sale (business_id, occurred_at) WHERE cardinality(consumed_by) > 0;

-- The share of `total` that `part` has of `whole`, rounded half up, as the ledger computes it.
CREATE FUNCTION share_of(total bigint, part bigint, whole bigint) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN whole <= 0 THEN 0 ELSE div(2 * total::numeric * part + whole, 2 * whole::numeric)::bigint END;
