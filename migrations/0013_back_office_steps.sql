-- The counter of back-office changes steps once for each statement, and each step lists all that it changed.
--
-- Why: since migration 0009 it stepped for each row. A statement that changes many rows (100,000 terminals of a platform
-- that moves in) then updated the counter's one row as often in one transaction, where each update walks all versions of
-- the row before it, while every other change waited for the row's lock: 20,000 terminals took a minute.
--
-- A process of the version before this one compares the count of rows with the counter's steps. A step that lists several
-- rows makes it read everything again, which is right and slower, until it is replaced.

ALTER TABLE back_office_change DROP CONSTRAINT back_office_change_pkey;
CREATE INDEX back_office_change_of_version ON back_office_change (version);

-- Argument 1: the kind. Argument 2, where there is one: the column that names the subject. `changed` is what the trigger
-- calls the statement's rows, except after TRUNCATE, which has none.
CREATE OR REPLACE FUNCTION back_office_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    -- Of more subjects than this everything is read again: to read the list would take as long.
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

-- A trigger with a transition table is of one operation. 0009's trigger after TRUNCATE stays.
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
