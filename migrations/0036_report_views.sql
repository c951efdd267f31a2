-- Saved views of reports: the filters, the columns and the rows that a person keeps under a name.
--
-- Why filters are kept as texts and not as columns: they are the parameters of the report's call, which reads them with
-- its own rules each time. A view of an older version is therefore kept, and its person is told what no longer holds.

CREATE TABLE report_view (
    id           uuid PRIMARY KEY,
    audience     text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Of seller_user or admin_user, by audience.
    user_id      uuid NOT NULL,
    -- A seller's views belong to a company, like the terminals and the links in their filters.
    business_id  uuid REFERENCES business (id),
    report       text NOT NULL CHECK (report <> '' AND length(report) <= 40),
    name         text NOT NULL CHECK (name <> '' AND length(name) <= 60 AND name !~ '[[:cntrl:]]'),
    filters      json NOT NULL,
    -- What the screen shows of the report: columns, rows and their order.
    shown        json NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL CHECK (updated_at >= created_at),
    CHECK ((audience = 'seller') = (business_id IS NOT NULL))
);
-- Two views of one report never look alike in the list.
CREATE UNIQUE INDEX report_view_by_name ON report_view (user_id, audience, report, business_id, lower(name))
    NULLS NOT DISTINCT;
CREATE INDEX report_view_of_business ON report_view (business_id);
