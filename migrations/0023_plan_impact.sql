-- Three additions to the prices of plans. The impact of a change is computed before the change is saved. A change can
-- wait for the approval of a second user. Sellers can compare their plan with the plans that are offered.
--
-- Why the impact is stored and not in memory: it reprices a month of sales of up to all companies, page by page. Each
-- page advances the row's cursor. So another process continues after a crash, and no sale counts twice.
-- Why a pending change stores the form and not its result: the approval validates the form by the rules of that time.

-- ---------------------------------------------------------------- plans that sellers may compare with theirs

ALTER TABLE plan
    ADD COLUMN offered boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT plan_offered_is_active CHECK (active OR NOT offered);

-- ---------------------------------------------------------------- impact

CREATE TABLE plan_impact (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL CHECK (kind IN ('sales', 'withdrawals')),
    -- The sales plan or the receiving plan. NULL: the plan is not saved yet.
    plan_id          uuid,
    requested_by     uuid NOT NULL,
    -- The first day of the month whose sales or withdrawals are repriced.
    month            date NOT NULL CHECK (extract(day FROM month) = 1),
    -- The request, as JSON: the terms or the fee before and after the change, and the affected companies.
    question         json NOT NULL,
    status           text NOT NULL DEFAULT 'running' CHECK (status IN ('running', 'done', 'failed')),
    failure          text CHECK (failure IN ('replaced', 'interrupted')),
    companies_total  bigint CHECK (companies_total >= 0),
    companies_done   bigint NOT NULL DEFAULT 0 CHECK (companies_done >= 0),
    -- The sums of the finished pages.
    totals           json NOT NULL,
    -- The last row of the last finished page. If `after_instant` is NULL, all rows of the company are done.
    after_business   uuid,
    after_instant    timestamptz,
    after_id         uuid,
    -- How often a page was started since the last finished page.
    tries            integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- The process that claimed the row works on it until then. NULL: no process has claimed it.
    leased_until     timestamptz,
    worked_at        timestamptz NOT NULL DEFAULT now(),
    created_at       timestamptz NOT NULL DEFAULT now(),
    CHECK ((status = 'failed') = (failure IS NOT NULL)),
    CHECK ((after_instant IS NULL) = (after_id IS NULL)),
    CHECK (after_instant IS NULL OR after_business IS NOT NULL)
);
CREATE INDEX plan_impact_running ON plan_impact (worked_at) WHERE status = 'running';
CREATE INDEX plan_impact_of_user ON plan_impact (requested_by) WHERE status = 'running';
CREATE INDEX plan_impact_by_age ON plan_impact (created_at);

-- ---------------------------------------------------------------- changes that wait for a second person

CREATE TABLE plan_change (
    id            uuid PRIMARY KEY,
    -- Exactly one of the two is set.
    plan_id       uuid REFERENCES plan (id),
    receiving_plan_id uuid REFERENCES receiving_plan (id),
    -- The plan's revision on which the change is based.
    revision      integer NOT NULL CHECK (revision >= 1),
    -- The body of the request, and the values of the fields that it changes.
    form          json NOT NULL,
    before        json NOT NULL,
    after         json NOT NULL,
    -- No foreign keys to users, because users can be deleted.
    requested_by  uuid NOT NULL,
    requested_at  timestamptz NOT NULL,
    status        text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected', 'withdrawn')),
    decided_by    uuid,
    decided_at    timestamptz,
    reason        text CHECK (reason <> '' AND length(reason) <= 500 AND reason !~ '[[:cntrl:]]'),
    CHECK (num_nonnulls(plan_id, receiving_plan_id) = 1),
    CHECK ((status = 'pending') = (decided_by IS NULL)),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (status <> 'pending' OR reason IS NULL),
    CHECK (status <> 'rejected' OR reason IS NOT NULL),
    -- Another user must decide. The user who requested the change can only withdraw it.
    CHECK (decided_by IS NULL OR (decided_by = requested_by) = (status = 'withdrawn'))
);
CREATE UNIQUE INDEX plan_change_one_pending ON plan_change (plan_id) WHERE status = 'pending';
CREATE UNIQUE INDEX plan_change_one_pending_receiving ON plan_change (receiving_plan_id) WHERE status = 'pending';
CREATE INDEX plan_change_by_status ON plan_change (status, requested_at, id);
CREATE INDEX plan_change_by_request ON plan_change (requested_at, id);

-- A decision is final. Only the decision itself can change a row.
CREATE FUNCTION plan_change_only_decided() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status <> 'pending' OR NEW.status = 'pending'
       OR (NEW.id, NEW.plan_id, NEW.receiving_plan_id, NEW.revision, NEW.form::text, NEW.before::text, NEW.after::text,
           NEW.requested_by, NEW.requested_at)
          IS DISTINCT FROM (OLD.id, OLD.plan_id, OLD.receiving_plan_id, OLD.revision, OLD.form::text, OLD.before::text,
           OLD.after::text, OLD.requested_by, OLD.requested_at) THEN
        RAISE EXCEPTION 'a change of a plan is decided once' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER plan_change_only_decided BEFORE UPDATE ON plan_change
    FOR EACH ROW EXECUTE FUNCTION plan_change_only_decided();
CREATE TRIGGER never_changed BEFORE DELETE OR TRUNCATE ON plan_change
    FOR EACH STATEMENT EXECUTE FUNCTION never_changed();
