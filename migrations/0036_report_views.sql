-- Saved views of reports: filters, columns and rows that a user saves under a name.
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
