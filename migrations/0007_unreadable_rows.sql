-- Outbox rows that this program cannot read go to the exceptions queue.
--
-- Why: before, such a row was claimed and skipped again without end. A withdrawal was never paid or an e-mail never
-- sent, and only the program's log showed it. One statement takes a row out of its queue and adds its exception.

-- unreadable: out of its queue. It has not ended, because the ledger still expects an outcome. Staff can retry it.
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

-- An unreadable e-mail gets the status 'given-up', like a permanently refused one. Staff can retry it from its
-- exception.

-- An exception is a notice, a refused refund or an unreadable outbox row. For an outbox row, `work` names the table and
-- `work_id` the row, and `provider` may be NULL.
ALTER TABLE exception ALTER COLUMN provider DROP NOT NULL;
ALTER TABLE exception DROP CONSTRAINT exception_check;
ALTER TABLE exception
    ADD COLUMN work text CHECK (work IN ('payout', 'refund', 'mail')),
    ADD COLUMN work_id uuid,
    ADD CONSTRAINT exception_of_work CHECK ((work IS NULL) = (work_id IS NULL)),
    ADD CONSTRAINT exception_provider_known CHECK (provider IS NOT NULL OR work IS NOT NULL),
    ADD CONSTRAINT exception_next_try
        CHECK ((status = 'waiting' AND refund_id IS NULL AND work IS NULL) = (next_try_at IS NOT NULL));
-- An outbox row has at most one waiting exception.
CREATE UNIQUE INDEX exception_of_open_work ON exception (work, work_id) WHERE status = 'waiting';
