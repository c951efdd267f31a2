-- Users, the companies that each seller user may access, sessions, the audit log and stored answers for repeated
-- requests.
--
-- Why users are in two tables: sellers and staff are separate audiences, and neither can act as the other. One e-mail
-- address may belong to a seller user and an admin user.
-- Why sessions are rows although access tokens are signed: each request looks up its session. So a sign-out, the reuse
-- of a refresh token or the deactivation of a user takes effect at once, not when the access token expires.
-- Why the row of a deleted user stays: the ledger and the audit log refer to users by id. A deleted user has no
-- password and cannot sign in. Another user may take the e-mail address.
-- Why the audit log is a separate table: back-office records are plain rows that change. Their changes are not events
-- of the ledger.

-- The form of a name for search and for the order of lists: without case and accents. Accents are removed before
-- lower(), because how lower() treats accented letters depends on the database's locale.
CREATE FUNCTION folded(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN
    lower(translate(name, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
                          'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'));

CREATE TABLE seller_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    name_key       text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    -- In lower case, so that two users cannot have addresses that differ only in case.
    email          text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    -- The hash by argon2id, as a PHC string.
    password_hash  text CHECK (password_hash LIKE '$argon2id$%'),
    -- The CPF, digits only.
    document       text NOT NULL CHECK (document ~ '^[0-9]{11}$'),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text NOT NULL DEFAULT 'UTC' CHECK (time_zone IN ('UTC', 'America/Sao_Paulo')),
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- When the user proved that they receive e-mails at the address. NULL: the current address is not verified.
    email_verified_at  timestamptz,
    deleted_at     timestamptz,
    CHECK ((password_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX seller_user_email_key ON seller_user (email) WHERE deleted_at IS NULL;
CREATE INDEX seller_user_by_name ON seller_user (name_key, id) WHERE deleted_at IS NULL;

CREATE TABLE admin_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    name_key       text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    email          text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    password_hash  text CHECK (password_hash LIKE '$argon2id$%'),
    roles          text[] NOT NULL CHECK (
        cardinality(roles) > 0
        AND roles <@ ARRAY['owner', 'admin', 'financial', 'commercial', 'commercial-supervisor', 'sac', 'operator']
    ),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text NOT NULL DEFAULT 'UTC' CHECK (time_zone IN ('UTC', 'America/Sao_Paulo')),
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- When the user proved that they receive e-mails at the address. NULL: the current address is not verified.
    email_verified_at  timestamptz,
    deleted_at     timestamptz,
    CHECK ((password_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX admin_user_email_key ON admin_user (email) WHERE deleted_at IS NULL;
CREATE INDEX admin_user_by_name ON admin_user (name_key, id) WHERE deleted_at IS NULL;

-- The companies that a seller user may access, and the user's role in each: 1 owner, 2 admin, 7 operator.
CREATE TABLE business_access (
    seller_id    uuid NOT NULL REFERENCES seller_user (id),
    business_id  uuid NOT NULL REFERENCES business (id),
    role_id      smallint NOT NULL CHECK (role_id IN (1, 2, 7)),
    granted_at   timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (seller_id, business_id)
);
CREATE INDEX business_access_by_business ON business_access (business_id, seller_id);

-- One row per sign-in, which has one family of refresh tokens. Only the newest token of a family is valid. The token
-- before it is valid for a short grace period too. The use of an older token means that a token was copied, so it ends
-- the session.
CREATE TABLE session (
    family        uuid PRIMARY KEY,
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- The id of a seller_user or an admin_user, depending on the audience.
    user_id       uuid NOT NULL,
    generation    integer NOT NULL DEFAULT 0 CHECK (generation >= 0),
    -- SHA-256 of the newest refresh token.
    refresh_hash  bytea NOT NULL CHECK (length(refresh_hash) = 32),
    created_at    timestamptz NOT NULL DEFAULT now(),
    rotated_at    timestamptz NOT NULL DEFAULT now(),
    expires_at    timestamptz NOT NULL,
    revoked_at    timestamptz,
    revoked_for   text CHECK (
        revoked_for IN ('sign-out', 'signed-out-elsewhere', 'reuse', 'deactivated', 'deleted', 'password')
    ),
    user_agent    text NOT NULL DEFAULT '' CHECK (length(user_agent) <= 300),
    address       inet,
    CHECK ((revoked_at IS NULL) = (revoked_for IS NULL))
);
CREATE INDEX session_of_user ON session (audience, user_id) WHERE revoked_at IS NULL;
-- For the deletion of expired sessions.
CREATE INDEX session_by_expiry ON session (expires_at);

-- The audit log: who changed what and when.
CREATE TABLE audit_trail (
    id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at            timestamptz NOT NULL DEFAULT now(),
    -- 'system': the change was made by the program, such as the demo or a job.
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin', 'system')),
    actor_id      uuid,
    action        text NOT NULL CHECK (action ~ '^[a-z]+(-[a-z]+)*$'),
    subject       text NOT NULL CHECK (subject ~ '^[a-z]+(_[a-z]+)*$'),
    subject_id    text NOT NULL,
    -- Must not contain passwords or their hashes.
    before        json,
    after         json,
    request_id    text NOT NULL DEFAULT '',
    -- The IP address of the request. NULL: no request caused the change.
    address       inet,
    CHECK ((audience = 'system') = (actor_id IS NULL))
);
CREATE INDEX audit_trail_of_subject ON audit_trail (subject, subject_id, id);
-- Finds the last sign-in of each user of a list without reading the other entries about the user.
CREATE INDEX audit_trail_of_sign_ins ON audit_trail (subject, subject_id, id) WHERE action = 'sign-in';

CREATE FUNCTION audit_trail_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_trail_stays BEFORE UPDATE OR DELETE ON audit_trail
    FOR EACH STATEMENT EXECUTE FUNCTION audit_trail_stays();

-- The idempotency store: answers to requests that create something. A repeat with the same Idempotency-Key creates
-- nothing and gets the stored answer. The row is written in the transaction of the change. Commands of the ledger do
-- not use this table: their keys are in the event log.
CREATE TABLE remembered_answer (
    -- SHA-256 of audience, user, operation and key. So equal keys of different callers are independent.
    key_hash      bytea PRIMARY KEY CHECK (length(key_hash) = 32),
    -- A keyed hash. The body may hold a password, which could be guessed from a plain hash.
    body_hash     bytea NOT NULL CHECK (length(body_hash) = 32),
    status        smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
    answer        json NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
-- For the deletion of expired answers.
CREATE INDEX remembered_answer_by_age ON remembered_answer (created_at);
