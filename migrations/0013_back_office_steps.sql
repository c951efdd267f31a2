-- The counter of back-office changes advances once per statement. Each step lists all records that the statement
-- changed.
--
-- Why: since migration 0009 the counter advanced once per row. An import of 100,000 terminals would update the only row
-- of the counter 100,000 times in one transaction. Each of these updates reads all earlier versions of the row. All
-- other changes in the back office wait for the row's lock. 20,000 terminals took a minute.
--
-- A process of the previous release compares the number of rows with the number of steps. If a step has several rows,
-- the process reads everything again. This is correct, only slower.

ALTER TABLE back_office_change DROP CONSTRAINT back_office_change_pkey;
CREATE INDEX back_office_change_of_version ON back_office_change (version);

-- Argument 1: the kind of change. Argument 2, optional: the column with the id of the changed record (the subject).
-- `changed` is the trigger's transition table: the rows that the statement changed. TRUNCATE has no transition table.
CREATE OR REPLACE FUNCTION back_office_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- A statement that changes more records is listed as 'all', and processes read everything again. Reading a longer
    -- list would take as long.
    listed_max CONSTANT integer := 1000;
    stepped    bigint;
    any_row    boolean;
    subjects   uuid[];
BEGIN
    IF TG_OP <> 'TRUNCATE' THEN
        SELECT EXISTS (SELECT FROM changed) INTO any_row;
        IF NOT any_row THEN
            RETURN NULL;
        END IF;
    END IF;
    IF TG_NARGS > 1 THEN
        EXECUTE format('SELECT array_agg(subject) FROM (SELECT DISTINCT %I AS subject FROM changed LIMIT %s) AS named',
                       TG_ARGV[1], listed_max + 1)
           INTO subjects;
    END IF;
    UPDATE back_office_version SET version = version + 1 RETURNING version INTO stepped;
    IF subjects IS NULL THEN
        INSERT INTO back_office_change (version, kind) VALUES (stepped, TG_ARGV[0]);
    ELSIF cardinality(subjects) > listed_max THEN
        INSERT INTO back_office_change (version, kind) VALUES (stepped, 'all');
    ELSE
        INSERT INTO back_office_change (version, kind, subject)
        SELECT stepped, TG_ARGV[0], unnest(subjects);
    END IF;
    DELETE FROM back_office_change WHERE version <= stepped - 10000;
    RETURN NULL;
END $$;

-- PostgreSQL allows a transition table only in a trigger for a single operation, so each table gets three triggers. The
-- trigger after TRUNCATE of migration 0009 stays.
DO $$
DECLARE
    guarded text[];
    operation text[];
BEGIN
    FOREACH guarded SLICE 1 IN ARRAY ARRAY[
        ['business', 'company', 'id'], ['plan_assignment', 'company', 'business_id'],
        ['terminal', 'terminal', 'id'], ['terminal_owner', 'terminal', 'terminal_id'],
        ['plan_version', 'plan', 'plan_id'], ['plan_default', 'default', NULL], ['holiday', 'holiday', NULL]
    ] LOOP
        EXECUTE format('DROP TRIGGER back_office_changed ON %I', guarded[1]);
        FOREACH operation SLICE 1 IN ARRAY ARRAY[
            ['inserted', 'INSERT', 'NEW'], ['updated', 'UPDATE', 'NEW'], ['deleted', 'DELETE', 'OLD']
        ] LOOP
            EXECUTE format('CREATE TRIGGER back_office_%s AFTER %s ON %I REFERENCING %s TABLE AS changed
                            FOR EACH STATEMENT EXECUTE FUNCTION back_office_changed(%s)',
                           operation[1], operation[2], guarded[1], operation[3],
                           concat_ws(', ', quote_literal(guarded[2]), quote_literal(guarded[3])));
        END LOOP;
    END LOOP;
END $$;
