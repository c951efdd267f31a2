-- A requested change of a plan stores the default plan that it replaces.
--
-- Why: a change of another plan can replace the default, and the revision of the requested plan does not show that. A
-- second admin user approves the change. The approval covers only the plan that was the default at the request.

ALTER TABLE plan_change ADD COLUMN replaces_default uuid;

CREATE OR REPLACE FUNCTION plan_change_only_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR NEW.status = 'pending'
       OR (NEW.id, NEW.plan_id, NEW.receiving_plan_id, NEW.revision, NEW.form::text, NEW.before::text, NEW.after::text,
           NEW.replaces_default, NEW.requested_by, NEW.requested_at)
          IS DISTINCT FROM (OLD.id, OLD.plan_id, OLD.receiving_plan_id, OLD.revision, OLD.form::text, OLD.before::text,
           OLD.after::text, OLD.replaces_default, OLD.requested_by, OLD.requested_at) THEN
        RAISE EXCEPTION 'a change of a plan is decided once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
