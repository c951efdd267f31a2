-- Changes of the back office's records. The counter of migration 0003 only tells that something changed.
--
-- Why: each process caches companies, terminals, plans and holidays in memory. Until now, every change made it read all
-- of them again, including plan terms, in the ledger's write path. This table has one row for each step of the counter,
-- so a process drops only the changed records from its cache.
-- The table keeps the last 10,000 steps. A process that is further behind finds fewer rows than steps and reads
-- everything again.

CREATE TABLE back_office_change (
    version  bigint PRIMARY KEY,
    kind     text NOT NULL CHECK (kind IN ('company', 'terminal', 'plan', 'default', 'holiday', 'all')),
    subject  uuid,
    CHECK ((subject IS NOT NULL) = (kind IN ('company', 'terminal', 'plan')))
);

-- Argument 1: the kind of change. Argument 2, optional: the column with the id of the changed record (the subject).
CREATE OR REPLACE FUNCTION back_office_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    stepped bigint;
    changed jsonb;
BEGIN
    UPDATE back_office_version SET version = version + 1 RETURNING version INTO stepped;
    IF TG_NARGS > 1 THEN
        changed := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END;
    END IF;
    INSERT INTO back_office_change (version, kind, subject)
    VALUES (stepped, TG_ARGV[0], (changed ->> TG_ARGV[1])::uuid);
    DELETE FROM back_office_change WHERE version <= stepped - 10000;
    RETURN NULL;
END $$;

DO $$
DECLARE
    guarded text[];
BEGIN
    FOREACH guarded SLICE 1 IN ARRAY ARRAY[
        ['business', 'company', 'id'], ['plan_assignment', 'company', 'business_id'],
        ['terminal', 'terminal', 'id'], ['terminal_owner', 'terminal', 'terminal_id'],
        ['plan_version', 'plan', 'plan_id'], ['plan_default', 'default', NULL], ['holiday', 'holiday', NULL]
    ] LOOP
        EXECUTE format('DROP TRIGGER back_office_changed ON %I', guarded[1]);
        EXECUTE format('CREATE TRIGGER back_office_changed AFTER INSERT OR UPDATE OR DELETE ON %I
                        FOR EACH ROW EXECUTE FUNCTION back_office_changed(%s)',
                       guarded[1], concat_ws(', ', quote_literal(guarded[2]), quote_literal(guarded[3])));
        EXECUTE format('CREATE TRIGGER back_office_emptied AFTER TRUNCATE ON %I
                        FOR EACH STATEMENT EXECUTE FUNCTION back_office_changed(''all'')', guarded[1]);
    END LOOP;
END $$;
