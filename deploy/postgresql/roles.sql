-- Three roles for an installation, in the database that this connects to:
--
--     psql --dbname razao --file roles.sql
--
-- razao_migrate owns the tables: `razao migrate`, `razao rebuild` and `razao archive`.
-- razao_run reads and writes rows, and changes no table: `razao serve` and `razao owner`.
-- razao_audit reads, and notes when an audit ended: `razao audit verify`, `razao audit replay` and `razao doctor`.
--
-- For a superuser or the owner of the database. Run it before the first migration and again after each: what exists by
-- then is granted, and the tables that only grow lose the privileges to change a row. It sets no passwords
-- (`\password razao_run`). With layout `schemas`, whose running program makes partitions, also
-- `GRANT razao_migrate TO razao_run`.

DO $$
DECLARE
    role text;
BEGIN
    FOREACH role IN ARRAY ARRAY['razao_migrate', 'razao_run', 'razao_audit'] LOOP
        IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = role) THEN
            EXECUTE format('CREATE ROLE %I LOGIN', role);
        END IF;
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), role);
    END LOOP;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    -- A rebuild makes the new tables in a schema of their own, and swaps them in.
    EXECUTE format('GRANT CREATE ON DATABASE %I TO razao_migrate', current_database());
END $$;

REVOKE ALL ON SCHEMA public FROM PUBLIC;
GRANT USAGE, CREATE ON SCHEMA public TO razao_migrate;
GRANT USAGE ON SCHEMA public TO razao_run, razao_audit;

-- What migrations and rebuilds make from now on.
ALTER DEFAULT PRIVILEGES FOR ROLE razao_migrate GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO razao_run;
ALTER DEFAULT PRIVILEGES FOR ROLE razao_migrate GRANT USAGE, SELECT ON SEQUENCES TO razao_run;
ALTER DEFAULT PRIVILEGES FOR ROLE razao_migrate GRANT SELECT ON TABLES TO razao_audit;
ALTER DEFAULT PRIVILEGES FOR ROLE razao_migrate GRANT SELECT ON SEQUENCES TO razao_audit;

-- What is there.
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO razao_run;
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO razao_run;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO razao_audit;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO razao_audit;

DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['event', 'tree_head', 'row_chain_head', 'log_subtree', 'log_checkpoint', 'log_cosignature',
                                'schema_migration'] LOOP
        IF to_regclass(name) IS NOT NULL THEN
            EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM razao_run', name);
        END IF;
    END LOOP;
    IF to_regclass('schema_migration') IS NOT NULL THEN
        REVOKE INSERT ON schema_migration FROM razao_run;
    END IF;
    -- When an audit ended and what it found, for the metrics. Nothing else of it is written.
    IF to_regclass('audit_verification') IS NOT NULL THEN
        GRANT INSERT, UPDATE ON audit_verification TO razao_audit;
    END IF;
END $$;

-- The sessions, locks and standbys of all roles, for `razao doctor`. Only a superuser may grant it; without it the page
-- says what it does not see.
DO $$
BEGIN
    GRANT pg_read_all_stats TO razao_audit;
EXCEPTION WHEN insufficient_privilege THEN
    RAISE NOTICE 'pg_read_all_stats is not granted to razao_audit: only a superuser may';
END $$;
