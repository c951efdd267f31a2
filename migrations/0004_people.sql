-- The people who sign in, the companies that each seller may act for, their sessions, the trail of who changed what, and
-- the answers that a repeated request gets again.
--
-- Why two tables of people: sellers and staff are two audiences that never pass for each other; one e-mail may be both.
-- Why sessions are rows although access tokens are signed: each request looks its session up, so that a sign-out, a
-- reused refresh token or a deactivated person takes effect at once and not when a token expires.
-- Why a deleted person stays as a row: the ledger and the trail name people by id. They have no password any more, so
-- that nobody can sign in as them, and their address is free for another.
-- Why the trail is a table of its own: back-office records are plain rows that change; the ledger's events stay apart.

-- A name as people look for it and as lists run by it: without case and accents. Accents go first, because how letters
-- with accents are lowered is up to the database's locale.
CREATE FUNCTION folded(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN
    lower(translate(name, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
                          'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn'));

CREATE TABLE seller_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    name_key       text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    -- Kept in lower case, so that one address is one person however it is typed.
    email          text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    -- A PHC string of argon2id.
    password_hash  text CHECK (password_hash LIKE '$argon2id$%'),
    -- CPF without its mask.
    document       text NOT NULL CHECK (document ~ '^[0-9]{11}$'),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text NOT NULL DEFAULT 'UTC' CHECK (time_zone IN ('UTC', 'America/Sao_Paulo')),
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- When somebody showed that the address is read by them; NULL since it was last changed.
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
    -- When somebody showed that the address is read by them; NULL since it was last changed.
    email_verified_at  timestamptz,
    deleted_at     timestamptz,
    CHECK ((password_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX admin_user_email_key ON admin_user (email) WHERE deleted_at IS NULL;
CREATE INDEX admin_user_by_name ON admin_user (name_key, id) WHERE deleted_at IS NULL;

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
    revoked_for   text CHECK (
        revoked_for IN ('sign-out', 'signed-out-elsewhere', 'reuse', 'deactivated', 'deleted', 'password')
    ),
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
    -- Where the request came from; NULL where none did.
    address       inet,
    CHECK ((audience = 'system') = (actor_id IS NULL))
);
CREATE INDEX audit_trail_of_subject ON audit_trail (subject, subject_id, id);
-- For the last one of each person of a list, whatever else happened to them since.
CREATE INDEX audit_trail_of_sign_ins ON audit_trail (subject, subject_id, id) WHERE action = 'sign-in';

CREATE FUNCTION audit_trail_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_trail_stays BEFORE UPDATE OR DELETE ON audit_trail
    FOR EACH STATEMENT EXECUTE FUNCTION audit_trail_stays();

-- What was answered to a request that creates something, so that a repeat under the same Idempotency-Key creates nothing
-- twice and gets the same answer. Written in the transaction of the change. The ledger's commands have their own memory.
CREATE TABLE remembered_answer (
    -- SHA-256 of audience, person, operation and key: a key is its caller's own.
    key_hash      bytea PRIMARY KEY CHECK (length(key_hash) = 32),
    -- Keyed, because a body may hold a password.
    body_hash     bytea NOT NULL CHECK (length(body_hash) = 32),
    status        smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
    answer        json NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);
-- For sweeping what is long over.
CREATE INDEX remembered_answer_by_age ON remembered_answer (created_at);
