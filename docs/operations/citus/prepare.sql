-- From layout `schemas` on one PostgreSQL to Citus: run on the coordinator by its owner, while no process of the platform
-- runs. It may be run again. docs/operations/citus.md explains each step.

-- The engine plans the append's statements for the node of their shard only with the values of their parameters.
DO $$
DECLARE
    append regprocedure;
BEGIN
    FOR append IN SELECT oid FROM pg_proc WHERE proname IN ('append_rows', 'append_shard', 'append_events') LOOP
        EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = force_custom_plan', append);
    END LOOP;
END $$;

-- Distributed tables have no triggers. Who may not change the log must not have the privilege.
DO $$
DECLARE
    place regclass;
    name  text;
BEGIN
    FOR place, name IN SELECT tgrelid, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
                        WHERE NOT tgisinternal AND tgname = 'append_only' AND tgparentid = 0
                          AND (relnamespace::regnamespace::text ~ '^s[0-9]+$' OR relname = 'sale_claim') LOOP
        EXECUTE format('DROP TRIGGER %I ON %s', name, place);
    END LOOP;
END $$;

-- The claims of all shards, on every node: a look-up joins them with the tables of its shard, which the engine refuses
-- for a table that is cut into parts by the sale.
SELECT create_reference_table('public.sale_claim')
 WHERE NOT EXISTS (SELECT 1 FROM pg_dist_partition WHERE logicalrelid = 'public.sale_claim'::regclass);
