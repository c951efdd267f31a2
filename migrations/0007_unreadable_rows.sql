-- Rows of work that this program can't read wait for staff among the exceptions.
--
-- Why: such a row was claimed again for ever and passed over each time, so that a withdrawal was never paid and an e-mail
-- never sent, with a line in the program's log as the only trace. A row is parked with its exception in one statement.

-- unreadable: parked. Not ended: the ledger still waits for it. Staff have it tried again.
ALTER TABLE payout DROP CONSTRAINT payout_status_check;
ALTER TABLE payout DROP CONSTRAINT payout_check1;
ALTER TABLE payout DROP CONSTRAINT payout_check2;
ALTER TABLE payout
    ADD CONSTRAINT payout_status_known
        CHECK (status IN ('waiting', 'unknown', 'sent', 'paid', 'failed', 'unreadable')),
    ADD CONSTRAINT payout_next_try CHECK ((status IN ('paid', 'failed', 'unreadable')) = (next_try_at IS NULL)),
    ADD CONSTRAINT payout_sent_through
        CHECK (provider IS NOT NULL OR status IN ('waiting', 'paid', 'failed', 'unreadable'));

ALTER TABLE refund DROP CONSTRAINT refund_status_check;
ALTER TABLE refund DROP CONSTRAINT refund_check1;
ALTER TABLE refund
    ADD CONSTRAINT refund_status_known
        CHECK (status IN ('waiting', 'unknown', 'sent', 'done', 'refused', 'unreadable')),
    ADD CONSTRAINT refund_next_try CHECK ((status IN ('done', 'refused', 'unreadable')) = (next_try_at IS NULL));

-- An e-mail that can't be read is given up like one that is refused for good; staff have it tried again from its exception.

-- What waits is a notice, a refused refund, or a row of work. Of the last kind `work` names the table and `work_id` the
-- row, and no acquirer need be known.
ALTER TABLE exception ALTER COLUMN provider DROP NOT NULL;
ALTER TABLE exception DROP CONSTRAINT exception_check;
ALTER TABLE exception
    ADD COLUMN work text CHECK (work IN ('payout', 'refund', 'mail')),
    ADD COLUMN work_id uuid,
    ADD CONSTRAINT exception_of_work CHECK ((work IS NULL) = (work_id IS NULL)),
    ADD CONSTRAINT exception_provider_known CHECK (provider IS NOT NULL OR work IS NOT NULL),
    ADD CONSTRAINT exception_next_try
        CHECK ((status = 'waiting' AND refund_id IS NULL AND work IS NULL) = (next_try_at IS NOT NULL));
-- A row waits once.
CREATE UNIQUE INDEX exception_of_open_work ON exception (work, work_id) WHERE status = 'waiting';
