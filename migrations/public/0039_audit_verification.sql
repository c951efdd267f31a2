-- Locks nothing: the table is new.
--
-- What the last `razao audit verify` said, so that the metrics can tell operators. Without it, nobody sees that the timer
-- of the audit has stopped.

CREATE TABLE audit_verification (
    -- The two parts of a verification: the log, and the chains of rows.
    part     text        PRIMARY KEY CHECK (part IN ('log', 'rows')),
    ended_at timestamptz NOT NULL,
    findings bigint      NOT NULL CHECK (findings >= 0)
);
