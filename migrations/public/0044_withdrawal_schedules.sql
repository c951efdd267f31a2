-- Withdrawals that a company schedules, and what became of each day on which a schedule ran.
--
-- Locks `business` for milliseconds, for the foreign keys. Both tables are new and empty.

SET LOCAL lock_timeout = '30s';

-- At most one for a company. It names no account: each run goes to the company's destination of that day.
CREATE TABLE withdrawal_schedule (
    business_id  uuid PRIMARY KEY REFERENCES business (id),
    frequency    text NOT NULL CHECK (frequency IN ('day', 'week', 'month')),
    -- A weekday from Monday (1) to Friday, or a day that every month has.
    on_day       smallint,
    -- In cents. A run withdraws nothing below it.
    minimum      bigint NOT NULL CHECK (minimum > 0),
    -- In cents. What a run leaves in the balance.
    kept         bigint NOT NULL CHECK (kept >= 0),
    -- The domain's `DestinationKind`: 0 the bank account, 1 PIX.
    destination  smallint NOT NULL CHECK (destination IN (0, 1)),
    -- No foreign key to users, because users can be deleted.
    set_by       uuid NOT NULL,
    set_at       timestamptz NOT NULL,
    CHECK (CASE frequency WHEN 'week' THEN on_day BETWEEN 1 AND 5
                          WHEN 'month' THEN on_day BETWEEN 1 AND 28
                          ELSE on_day IS NULL END IS TRUE)
);

SELECT chain_rows('withdrawal_schedule', '{business_id}', 'business_id', '{}');

-- For persons, and so that the job looks at a company once a day. The withdrawal itself is in the log, under an id that
-- follows from the company and the day.
CREATE TABLE withdrawal_schedule_run (
    business_id  uuid NOT NULL REFERENCES business (id),
    on_date      date NOT NULL,
    outcome      text NOT NULL CHECK (outcome IN ('requested', 'below_minimum', 'not_active', 'no_destination',
                                                  'destination_returned', 'refused')),
    available    bigint NOT NULL,
    amount       bigint CHECK (amount > 0),
    transfer_id  uuid,
    ran_at       timestamptz NOT NULL,
    PRIMARY KEY (business_id, on_date),
    CHECK ((outcome = 'requested') = (amount IS NOT NULL) AND (amount IS NULL) = (transfer_id IS NULL))
);
