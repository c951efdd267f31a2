-- The audit log is also one list over all records, latest first. Each of its filters has an index in the order of the
-- list, so that a page and its count read no more of the log than they show.
--
-- Locks `audit_log` against writes while the indexes are made: 7 seconds for a million entries, on two busy processors.
-- Each change by a user waits meanwhile; sales do not.

CREATE INDEX audit_log_by_time ON audit_log (at, id);
CREATE INDEX audit_log_of_actor ON audit_log (actor_id, at, id);
CREATE INDEX audit_log_of_audience ON audit_log (audience, at, id);
CREATE INDEX audit_log_of_kind ON audit_log (subject, at, id);
CREATE INDEX audit_log_of_record ON audit_log (subject_id, at, id);
CREATE INDEX audit_log_from_address ON audit_log (address, at, id) WHERE address IS NOT NULL;

-- The company that an entry names among its values, as its id is written in the API.
CREATE INDEX audit_log_of_company
    ON audit_log ((coalesce(after ->> 'business_id', before ->> 'business_id')), at, id);
