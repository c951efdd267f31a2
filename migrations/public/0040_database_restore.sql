-- Locks nothing: the table is new.
--
-- When this database was restored to an earlier instant. Until weeks later every payout, refund and charge is looked up
-- before it is first sent: the bank or the acquirer may have it, although the database has forgotten that. `razao
-- restore-check` writes a row.

CREATE TABLE database_restore (
    restored_at timestamptz PRIMARY KEY DEFAULT now()
);
