-- Reports that a person gets by e-mail every week or month, and each one that was sent.
--
-- Why a row for each period: it is added in the transaction that orders the e-mail, so a period is sent once, with any
-- number of processes. Why the file is kept: the e-mail is composed later, and the file of a large report is downloaded
-- from the panel until it expires. The business clock dates all of it.

CREATE TABLE report_email (
    id           uuid PRIMARY KEY,
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Of seller_user or admin_user, by audience.
    user_id      uuid NOT NULL,
    -- The company that a seller's report is about.
    business_id  uuid REFERENCES business (id),
    report       text NOT NULL CHECK (report <> '' AND length(report) <= 40),
    every        text NOT NULL CHECK (every IN ('week', 'month')),
    filters      json NOT NULL,
    panel_url    text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    created_at   timestamptz NOT NULL,
    -- The day after the period that is sent next: a Monday, or the first of a month.
    due_on       date NOT NULL
        CHECK (CASE every WHEN 'week' THEN extract(isodow FROM due_on) = 1 ELSE extract(day FROM due_on) = 1 END),
    -- user: by the person. access: the person may no longer read the report. filters: the report refuses its filters.
    stopped_at   timestamptz,
    stopped_by   text CHECK (stopped_by IN ('user', 'access', 'filters')),
    CHECK ((audience = 'seller') = (business_id IS NOT NULL)),
    CHECK ((stopped_at IS NULL) = (stopped_by IS NULL))
);
CREATE INDEX report_email_due ON report_email (due_on, id) WHERE stopped_at IS NULL;
CREATE INDEX report_email_of_user ON report_email (user_id, audience, business_id, created_at, id)
    WHERE stopped_by IS DISTINCT FROM 'user';
CREATE INDEX report_email_of_business ON report_email (business_id);

CREATE TABLE report_delivery (
    id               uuid PRIMARY KEY,
    report_email_id  uuid NOT NULL REFERENCES report_email (id),
    period_start     date NOT NULL,
    period_end       date NOT NULL CHECK (period_end >= period_start),
    -- The roles that could read the report when the file was made. They are checked again when the e-mail is sent.
    roles            text[] NOT NULL,
    file_name        text NOT NULL CHECK (file_name <> '' AND length(file_name) <= 200 AND file_name !~ '[[:cntrl:]]'),
    byte_count       bigint NOT NULL CHECK (byte_count > 0),
    -- Whether the file is in the e-mail. Else the e-mail has a link.
    attached         boolean NOT NULL,
    created_at       timestamptz NOT NULL,
    expires_at       timestamptz NOT NULL CHECK (expires_at > created_at),
    CONSTRAINT report_delivery_once UNIQUE (report_email_id, period_start)
);
CREATE INDEX report_delivery_by_expiry ON report_delivery (expires_at);

-- In parts, as uploaded files. They are deleted when the file expires.
CREATE TABLE report_delivery_part (
    delivery_id  uuid NOT NULL REFERENCES report_delivery (id) ON DELETE CASCADE,
    number       integer NOT NULL CHECK (number >= 0),
    content      bytea NOT NULL CHECK (length(content) BETWEEN 1 AND 262144),
    PRIMARY KEY (delivery_id, number)
);
ALTER TABLE report_delivery_part ALTER COLUMN content SET STORAGE EXTERNAL;
