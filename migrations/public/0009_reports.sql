-- Saved views of reports, and reports that users get by e-mail.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- views

-- Filters, columns and rows of a report that a user saves under a name.
--
-- Why filters are stored as text and not in typed columns: they are the parameters of the report's API call. The report
-- validates them on each use. So a view of an older release stays, and its user sees which filters are no longer valid.
CREATE TABLE report_view (
    id           uuid PRIMARY KEY,
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- The id of a seller_user or an admin_user, depending on the audience.
    user_id      uuid NOT NULL,
    -- The company of a seller user's view, because terminals and payment links in its filters belong to one company.
    -- NULL for staff.
    business_id  uuid REFERENCES business (id),
    report       text NOT NULL CHECK (report <> '' AND length(report) <= 40),
    name         text NOT NULL CHECK (name <> '' AND length(name) <= 60 AND name !~ '[[:cntrl:]]'),
    filters      json NOT NULL,
    -- The parts that the screen shows: columns, rows and their order.
    shown        json NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL CHECK (updated_at >= created_at),
    CHECK ((audience = 'seller') = (business_id IS NOT NULL))
);

-- Names of one user's views of a report differ in more than case, so that users can tell them apart in the list.
CREATE UNIQUE INDEX report_view_by_name ON report_view (user_id, audience, report, business_id, lower(name))
    NULLS NOT DISTINCT;
CREATE INDEX report_view_of_business ON report_view (business_id);

-- ---------------------------------------------------------------- e-mails

-- Reports that a user gets by e-mail every week or month. All times are of the business clock.
CREATE TABLE report_email (
    id           uuid PRIMARY KEY,
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- An id of seller_user or admin_user, depending on the audience.
    user_id      uuid NOT NULL,
    -- The company that a seller's report is about.
    business_id  uuid REFERENCES business (id),
    report       text NOT NULL CHECK (report <> '' AND length(report) <= 40),
    every        text NOT NULL CHECK (every IN ('week', 'month')),
    filters      json NOT NULL,
    panel_url    text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    created_at   timestamptz NOT NULL,
    -- The day after the next period to send: a Monday, or the first of a month.
    due_on       date NOT NULL
        CHECK (CASE every WHEN 'week' THEN extract(isodow FROM due_on) = 1 ELSE extract(day FROM due_on) = 1 END),
    -- user: the user stopped it. access: the user lost access to the report. filters: the report refuses its filters.
    stopped_at   timestamptz,
    stopped_by   text CHECK (stopped_by IN ('user', 'access', 'filters')),
    CHECK ((audience = 'seller') = (business_id IS NOT NULL)),
    CHECK ((stopped_at IS NULL) = (stopped_by IS NULL))
);
CREATE INDEX report_email_due ON report_email (due_on, id) WHERE stopped_at IS NULL;
CREATE INDEX report_email_of_user ON report_email (user_id, audience, business_id, created_at, id)
    WHERE stopped_by IS DISTINCT FROM 'user';
CREATE INDEX report_email_of_business ON report_email (business_id);

-- The files that were sent. A period's row is added in the transaction that adds the e-mail to its outbox. So a period
-- is sent once, with any number of processes.
--
-- The file is stored because the e-mail is composed later. A large file is not attached: the user downloads it from the
-- panel until it expires.
CREATE TABLE report_delivery (
    id               uuid PRIMARY KEY,
    report_email_id  uuid NOT NULL REFERENCES report_email (id),
    period_start     date NOT NULL,
    period_end       date NOT NULL CHECK (period_end >= period_start),
    -- The roles that could read the report when the file was made. They are checked again when the e-mail is sent.
    roles            text[] NOT NULL,
    file_name        text NOT NULL CHECK (file_name <> '' AND length(file_name) <= 200 AND file_name !~ '[[:cntrl:]]'),
    byte_count       bigint NOT NULL CHECK (byte_count > 0),
    -- Whether the e-mail has the file as an attachment. Otherwise it has a link to the panel.
    attached         boolean NOT NULL,
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL CHECK (expires_at > created_at),
    CONSTRAINT report_delivery_once UNIQUE (report_email_id, period_start)
);
CREATE INDEX report_delivery_by_expiry ON report_delivery (expires_at);

-- The file in parts, like uploaded files. A job deletes the parts after the file has expired.
CREATE TABLE report_delivery_part (
    delivery_id  uuid NOT NULL REFERENCES report_delivery (id) ON DELETE CASCADE,
    number       integer NOT NULL CHECK (number >= 0),
    content      bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
    PRIMARY KEY (delivery_id, number)
);
ALTER TABLE report_delivery_part ALTER COLUMN content SET STORAGE EXTERNAL;
