-- The reserve: a share of each settlement that is held for some days.
--
-- Locks nothing that exists. The two read models of the group `holds` are filled by its follower from now on: no earlier
-- event concerns them.

SET LOCAL lock_timeout = '30s';

-- Both tables are filled by adding to their rows, and PostgreSQL checks what is added as if it were a row. So no check
-- can say that no more is released than was reserved: the ledger decides it, and the audit compares it.

-- What is held of an installment until a day. Rows stay after the release: they explain it.
CREATE TABLE reserve_piece (
    business_id uuid     NOT NULL,
    release_on  date     NOT NULL,
    sale_id     uuid     NOT NULL,
    number      smallint NOT NULL,
    reserved    bigint   NOT NULL,
    -- To the seller, on its day.
    released    bigint   NOT NULL,
    -- For a reversal of the sale, before its day.
    used        bigint   NOT NULL,
    PRIMARY KEY (business_id, release_on, sale_id, number)
);
-- What is held of a sale.
CREATE INDEX reserve_piece_by_sale ON reserve_piece (sale_id);

-- Their sums by day: the calendar of a company, and the days that the settlement job releases.
CREATE TABLE reserve_day (
    business_id uuid   NOT NULL,
    release_on  date   NOT NULL,
    reserved    bigint NOT NULL,
    released    bigint NOT NULL,
    used        bigint NOT NULL,
    PRIMARY KEY (business_id, release_on)
);
CREATE INDEX reserve_day_open ON reserve_day (release_on, business_id) WHERE reserved > released + used;
