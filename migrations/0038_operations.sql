-- The staff's home page: what waits for too long, at the same cost however long the history and the queues are.
--
-- The age of the oldest open row of an outbox, and the rows that are late, are read from one end of an index. An open
-- row's instant of creation never changes, so the tries of a row touch these indexes no more than the others.
CREATE INDEX payout_open ON payout (created_at, payout_id) WHERE ended_at IS NULL;
CREATE INDEX refund_open ON refund (created_at, refund_id) WHERE ended_at IS NULL;
CREATE INDEX mail_waiting ON mail (created_at, id) WHERE status = 'waiting';
CREATE INDEX exception_waiting ON exception (received_at, id) WHERE status = 'waiting';

-- Negative balances are few and scattered. A balance changes with nearly every event, so an index that holds it would
-- be written as often. This one holds the least balance of each range of pages, and leaves updates on their page (HOT).
CREATE INDEX balance_available ON balance USING brin (available) WITH (pages_per_range = 8, autosummarize = on);
