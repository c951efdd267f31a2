-- For tests on layout `schemas`: a statement that damages the table of layout `one` damages those of the shards. Nothing
-- of the program writes through the views.

-- No trigger fires and no foreign key is checked, as for a superuser who changes rows.
CREATE FUNCTION change_through_view() RETURNS trigger LANGUAGE plpgsql SET session_replication_role = replica AS $$
DECLARE
    changed jsonb;
    place   text;
    columns text;
BEGIN
    IF TG_OP = 'INSERT' THEN changed := to_jsonb(NEW); ELSE changed := to_jsonb(OLD); END IF;
    place := 's' || coalesce((changed ->> 'shard')::smallint, shard_of((changed ->> 'business_id')::uuid));
    IF TG_OP <> 'INSERT' THEN
        EXECUTE format('DELETE FROM %1$I.%2$I WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM %1$I.%2$I AS one WHERE to_jsonb(one) = to_jsonb($1) - ''xmin'' LIMIT 1)',
                       place, TG_TABLE_NAME) USING OLD;
        IF TG_OP = 'DELETE' THEN
            RETURN OLD;
        END IF;
        changed := to_jsonb(NEW);
        place := 's' || coalesce((changed ->> 'shard')::smallint, shard_of((changed ->> 'business_id')::uuid));
    END IF;
    SELECT string_agg(format('($1).%I', attname), ', ' ORDER BY attnum) INTO columns
      FROM pg_attribute
     WHERE attrelid = format('%I.%I', place, TG_TABLE_NAME)::regclass AND attnum > 0 AND NOT attisdropped
       AND attgenerated = '';
    EXECUTE format('INSERT INTO %I.%I (%s) SELECT %s', place, TG_TABLE_NAME, replace(columns, '($1).', ''), columns)
      USING NEW;
    RETURN NEW;
END $$;

-- The claims have one table, which a test may damage too.
DROP TRIGGER append_only ON sale_claim;

DO $$
DECLARE
    view name;
BEGIN
    FOR view IN SELECT relname FROM pg_class WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
                                               AND relname <> 'events' LOOP
        EXECUTE format('CREATE TRIGGER change INSTEAD OF INSERT OR UPDATE OR DELETE ON public.%I
                            FOR EACH ROW EXECUTE FUNCTION change_through_view()', view);
    END LOOP;
END $$;
