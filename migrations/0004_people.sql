-- The people who sign in, the companies that each seller may act for, their sessions, and the trail of who changed what.
--
-- Why two tables of people: sellers and staff are two audiences that never pass for each other; one e-mail may be both.
-- Why sessions are rows although access tokens are signed: each request looks its session up, so that a sign-out, a
-- reused refresh token or a deactivated person takes effect at once and not when a token expires.
-- Why the trail is a table of its own: back-office records are plain rows that change; the ledger's events stay apart.

CREATE TABLE seller_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    -- Kept in lower case, so that one address is one person however it is typed.
    email          text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
    -- A PHC string of argon2id.
    password_hash  text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
    -- CPF without its mask.
    document       text NOT NULL CHECK (document ~ '^[0-9]{11}$'),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text NOT NULL DEFAULT 'UTC' CHECK (time_zone IN ('UTC', 'America/Sao_Paulo')),
    created_at     timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE admin_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    email          text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) <= 254),
    password_hash  text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
    roles          text[] NOT NULL CHECK (
        cardinality(roles) > 0
        AND roles <@ ARRAY['owner', 'admin', 'financial', 'commercial', 'commercial-supervisor', 'sac', 'operator']
    ),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text NOT NULL DEFAULT 'UTC' CHECK (time_zone IN ('UTC', 'America/Sao_Paulo')),
    created_at     timestamptz NOT NULL DEFAULT now()
);

-- The role is the one in that company: 1 owner, 2 admin, 7 operator.
CREATE TABLE business_access (
    seller_id    uuid NOT NULL REFERENCES seller_user (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    role_id      smallint NOT NULL CHECK (role_id IN (1, 2, 7)),
    granted_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (seller_id, business_id)
);
CREATE INDEX business_access_by_business ON business_access (business_id, seller_id);

-- One row a sign-in: the family of its refresh tokens. Only the newest token of a family is good, and the one before
-- it for a few seconds; any older one means that a copy is about, and ends the family.
CREATE TABLE session (
    family        uuid PRIMARY KEY,
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Of seller_user or admin_user, by audience.
    user_id       uuid NOT NULL,
    generation    integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
    -- SHA-256 of the newest refresh token.
    refresh_hash  bytea NOT NULL CHECK (length(refresh_hash) = 32),
    created_at    timestamptz NOT NULL DEFAULT now(),
    rotated_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    revoked_at    timestamptz,
    revoked_for   text CHECK (revoked_for IN ('sign-out', 'reuse', 'deactivated', 'password')),
    user_agent    text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 300),
    address       inet,
    CHECK ((revoked_at IS NULL) = (revoked_for IS NULL))
);
CREATE INDEX session_of_user ON session (audience, user_id) WHERE revoked_at IS NULL;
-- For sweeping what is long over.
CREATE INDEX session_by_expiry ON session (expires_at);

CREATE TABLE audit_trail (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at            timestamptz NOT NULL DEFAULT now(),
    -- 'system' is the program itself (the demo, a job).
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin', 'system')),
    actor_id      uuid,
    action        text NOT NULL CHECK (action ~ '^[a-z]+(-[a-z]+)*$'),
    subject       text NOT NULL CHECK (subject ~ '^[a-z]+(_[a-z]+)*$'),
    subject_id    text NOT NULL,
    -- Never a password, hashed or not.
    before        json,
    after         json,
    request_id    text NOT NULL DEFAULT '',
    CHECK ((audience = 'system') = (actor_id IS NULL))
);
CREATE INDEX audit_trail_of_subject ON audit_trail (subject, subject_id, id);

CREATE FUNCTION audit_trail_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_trail_stays BEFORE UPDATE OR DELETE ON audit_trail
    FOR EACH STATEMENT EXECUTE FUNCTION audit_trail_stays();
