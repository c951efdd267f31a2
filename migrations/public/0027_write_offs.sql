-- A debt is written off by two people: a request of an adjustment, as those of courts.
--
-- Locks `adjustment_request` against everything while its few rows are read.

SET LOCAL lock_timeout = '30s';

ALTER TABLE adjustment_request
    DROP CONSTRAINT adjustment_request_kind_check,
    ADD CONSTRAINT adjustment_request_kind_check CHECK (kind IN (
        'credit', 'removal', 'release', 'plan', 'court_order', 'court_release', 'court_payment', 'write_off'));
