-- Indexes for the staff's home page, which shows work that waits too long. Its cost must not grow with the history or
-- the queues.
--
-- The age of the oldest open row of an outbox, and its late rows, are read from one end of an index. The creation time
-- of a row never changes, so a retry costs these indexes no more than the other indexes of the table.
CREATE INDEX payout_open ON payout (created_at, payout_id) WHERE ended_at IS NULL;
CREATE INDEX refund_open ON refund (created_at, refund_id) WHERE ended_at IS NULL;
CREATE INDEX mail_waiting ON mail (created_at, id) WHERE status = 'waiting';
CREATE INDEX exception_waiting ON exception (received_at, id) WHERE status = 'waiting';

-- Finds negative balances, which are few and scattered. Nearly every event changes a balance, so each would also write
-- a B-tree of balances. This BRIN index stores the lowest and highest balance of each range of 8 pages, and does not
-- prevent HOT updates.
CREATE INDEX balance_available ON balance USING brin (available) WITH (pages_per_range = 8, autosummarize = on);
