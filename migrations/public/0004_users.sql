-- Users, sessions, the audit log, stored answers for repeated requests, and e-mails.
--
-- Why users are in two tables: sellers and staff are separate audiences, and neither can act as the other. One e-mail
-- address may belong to a seller user and an admin user.
-- Why sessions are rows although access tokens are signed: each request looks up its session. So a sign-out, the reuse
-- of a refresh token or the deactivation of a user takes effect at once, not when the access token expires.
-- Why the row of a deleted user stays: the ledger and the audit log refer to users by id. A deleted user has no
-- password and cannot sign in. Another user may take the e-mail address.
-- Why the audit log is a separate table: back-office records are plain rows that change. Their changes are not events
-- of the ledger.
--
-- Locks nothing: it makes the tables of a new database.

-- ---------------------------------------------------------------- names and words

-- The form of a name for search and for the order of lists: without case and accents. Accents are removed before
-- lower(), because how lower() treats accented letters depends on the database's locale.
-- Why the letters are listed: Unicode has no decomposition of Ł, Ø or ß. `plain_text` of the gateway has the same list,
-- and a test compares the two.
CREATE FUNCTION folded(name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT RETURN
    CASE WHEN octet_length(name) = length(name) THEN lower(name)
    ELSE lower(translate(
        replace(replace(replace(replace(replace(replace(replace(replace(
            regexp_replace(normalize(name, NFKD),
                '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+', '', 'g'),
            'Æ', 'AE'), 'æ', 'ae'), 'Œ', 'OE'), 'œ', 'oe'), 'ß', 'ss'), 'ẞ', 'SS'), 'Þ', 'TH'), 'þ', 'th'),
        'ŁłØøĐÐđðĦħŦŧŊŋı‘’‚‛ʼ“”„‟‐‑‒–—―−',
        'LlOoDDddHhTtNni''''''''''""""-------'))
    END;

-- The words of a record, by which lists are searched. Lower case, without accents and punctuation, as searches are.
-- A search by the beginnings of words then reads an index, also with 100,000 companies.
CREATE FUNCTION business_words(name text, trade_name text, document text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
    regexp_split_to_table(
        trim(BOTH ' ' FROM regexp_replace(folded(concat_ws(' ', name, trade_name, document)), '[^a-z0-9]+', ' ', 'g')),
        ' ');

-- Why the complete e-mail address too: 'ana', 'gmail' and 'com' are common words, and a complete address is rare.
CREATE FUNCTION user_words(name text, email text, document text) RETURNS SETOF text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
BEGIN ATOMIC
    SELECT word FROM business_words(name, email, document) AS word WHERE word <> ''
    UNION
    SELECT folded(email) WHERE email <> '';
END;

-- ---------------------------------------------------------------- users

CREATE TABLE seller_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    name_key       text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    -- In lower case, so that two users cannot have addresses that differ only in case.
    email          text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    -- The hash by argon2id, as a PHC string.
    password_hash  text CHECK (password_hash LIKE '$argon2id$%'),
    -- Another user set the password, and the user has not yet replaced it by a link to an address of their own. That
    -- user could sign in with it and move the user's money, so such a password moves none until the user has set their
    -- own by a link to an address that they have had for 48 hours.
    password_provisional boolean NOT NULL DEFAULT false,
    -- The CPF, digits only.
    document       text NOT NULL CHECK (document ~ '^[0-9]{11}$'),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    -- Of the IANA database. NULL: the time zone of the tenant of the host.
    time_zone      text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- When the user proved that they receive e-mails at the address. NULL: the current address is not verified.
    email_verified_at  timestamptz,
    -- Since when the user has the address. A later time than created_at: the address was changed.
    email_since        timestamptz NOT NULL DEFAULT now(),
    -- Whether the user gets an e-mail for each sale by payment link of their companies.
    paid_link_emails   boolean NOT NULL DEFAULT false,
    deleted_at     timestamptz,
    CHECK ((password_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX seller_user_email_key ON seller_user (email) WHERE deleted_at IS NULL;
CREATE INDEX seller_user_by_name ON seller_user (name_key, id) WHERE deleted_at IS NULL;
CREATE INDEX seller_user_inactive ON seller_user (name_key, id) WHERE deleted_at IS NULL AND NOT active;

-- Why the index by user and word: a search for several words starts with the rarest word. For each user found, it looks
-- up the other words.
CREATE TABLE seller_user_word (
    word       text COLLATE "C" NOT NULL,
    seller_id  uuid NOT NULL REFERENCES seller_user (id),
    PRIMARY KEY (word, seller_id)
);
CREATE INDEX seller_user_word_of_seller ON seller_user_word (seller_id, word);

-- A deleted user has no words, because lists do not show deleted users.
CREATE FUNCTION seller_user_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM seller_user_word WHERE seller_id = NEW.id;
    INSERT INTO seller_user_word (word, seller_id)
    SELECT word, NEW.id FROM user_words(NEW.name, NEW.email, NEW.document) AS word WHERE NEW.deleted_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER seller_user_words_added AFTER INSERT ON seller_user
    FOR EACH ROW EXECUTE FUNCTION seller_user_words_kept();
CREATE TRIGGER seller_user_words_changed AFTER UPDATE ON seller_user
    FOR EACH ROW
    WHEN ((NEW.name, NEW.email, NEW.document, NEW.deleted_at) IS DISTINCT FROM
          (OLD.name, OLD.email, OLD.document, OLD.deleted_at))
    EXECUTE FUNCTION seller_user_words_kept();

CREATE TABLE admin_user (
    id             uuid PRIMARY KEY,
    name           text NOT NULL CHECK (name <> '' AND length(name) <= 120 AND name !~ '[[:cntrl:]]'),
    name_key       text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    email          text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    password_hash  text CHECK (password_hash LIKE '$argon2id$%'),
    password_provisional boolean NOT NULL DEFAULT false,
    roles          text[] NOT NULL CHECK (
        cardinality(roles) > 0
        AND roles <@ ARRAY['owner', 'admin', 'financial', 'commercial', 'commercial-supervisor', 'sac', 'operator']
    ),
    active         boolean NOT NULL DEFAULT true,
    theme          text NOT NULL DEFAULT 'light' CHECK (theme IN ('light', 'dark')),
    time_zone      text CHECK (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$'),
    created_at     timestamptz NOT NULL DEFAULT now(),
    -- When the user proved that they receive e-mails at the address. NULL: the current address is not verified.
    email_verified_at  timestamptz,
    email_since        timestamptz NOT NULL DEFAULT now(),
    deleted_at     timestamptz,
    CHECK ((password_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (deleted_at IS NULL OR NOT active)
);
CREATE UNIQUE INDEX admin_user_email_key ON admin_user (email) WHERE deleted_at IS NULL;
CREATE INDEX admin_user_by_name ON admin_user (name_key, id) WHERE deleted_at IS NULL;

CREATE TABLE admin_user_word (
    word      text COLLATE "C" NOT NULL,
    admin_id  uuid NOT NULL REFERENCES admin_user (id),
    PRIMARY KEY (word, admin_id)
);
CREATE INDEX admin_user_word_of_admin ON admin_user_word (admin_id, word);

CREATE FUNCTION admin_user_words_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM admin_user_word WHERE admin_id = NEW.id;
    INSERT INTO admin_user_word (word, admin_id)
    SELECT word, NEW.id FROM user_words(NEW.name, NEW.email, NULL) AS word WHERE NEW.deleted_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER admin_user_words_added AFTER INSERT ON admin_user
    FOR EACH ROW EXECUTE FUNCTION admin_user_words_kept();
CREATE TRIGGER admin_user_words_changed AFTER UPDATE ON admin_user
    FOR EACH ROW
    WHEN ((NEW.name, NEW.email, NEW.deleted_at) IS DISTINCT FROM (OLD.name, OLD.email, OLD.deleted_at))
    EXECUTE FUNCTION admin_user_words_kept();

-- ---------------------------------------------------------------- sessions

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

-- ---------------------------------------------------------------- audit log

-- The audit log: who changed what and when.
CREATE TABLE audit_log (
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
CREATE INDEX audit_log_of_subject ON audit_log (subject, subject_id, id);

-- Finds the last sign-in of each user of a list without reading the other entries about the user.
CREATE INDEX audit_log_of_sign_ins ON audit_log (subject, subject_id, id) WHERE action = 'sign-in';

CREATE FUNCTION audit_log_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is only added to' USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER audit_log_stays BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_stays();

-- ---------------------------------------------------------------- idempotency

-- The idempotency store: answers to requests that create something. A repeat with the same Idempotency-Key creates
-- nothing and gets the stored answer. The row is written in the transaction of the change. Commands of the ledger do
-- not use this table: their keys are in the event log.
CREATE TABLE idempotency_record (
    -- SHA-256 of audience, user, operation and key. So equal keys of different callers are independent.
    key_hash      bytea PRIMARY KEY CHECK (length(key_hash) = 32),
    -- A keyed hash. The body may hold a password, which could be guessed from a plain hash.
    body_hash     bytea NOT NULL CHECK (length(body_hash) = 32),
    status        smallint NOT NULL CHECK (status BETWEEN 200 AND 299),
    answer        json NOT NULL,
    created_at    timestamptz NOT NULL DEFAULT now()
);

-- For the deletion of expired answers.
CREATE INDEX idempotency_record_by_age ON idempotency_record (created_at);

-- ---------------------------------------------------------------- e-mails

-- The codes in the links of e-mails. A code is an HMAC that includes its row's id. The row stores only its hash.
CREATE TABLE one_time_code (
    id          uuid PRIMARY KEY,
    purpose     text NOT NULL CHECK (purpose IN ('reset-password', 'verify-email', 'approve-email')),
    audience    text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- The id in `seller_user` or `admin_user`, by audience.
    user_id     uuid NOT NULL,
    -- The address to which the code was sent. Using the code proves access to this address.
    email       text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    code_hash   bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32),
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    -- When it was used, or canceled because another code was used.
    used_at     timestamptz,
    CHECK (expires_at > created_at)
);
CREATE INDEX one_time_code_open ON one_time_code (audience, user_id, purpose) WHERE used_at IS NULL;

-- For the job that deletes old codes.
CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at);

-- Changes of an address that wait. The address gets the links for new passwords. So the old address must agree, or its
-- reader has 48 hours to refuse.
CREATE TABLE email_change (
    id              uuid PRIMARY KEY,
    audience        text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- The id in `seller_user` or `admin_user`, by audience.
    user_id         uuid NOT NULL,
    email_before    text NOT NULL CHECK (email_before = lower(email_before) AND length(email_before) <= 254),
    email           text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    -- The user who asked for the change. It is the user's own change if it is the same user.
    asked_by_audience  text NOT NULL CHECK (asked_by_audience IN ('seller', 'admin', 'system')),
    asked_by        uuid,
    -- Scheme and host of the user's panel, for the e-mails when the change takes effect.
    panel_url       text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    -- By the business clock, as the other times of this table.
    asked_at        timestamptz NOT NULL,
    -- From then on the change needs no approval.
    waits_until     timestamptz NOT NULL CHECK (waits_until > asked_at),
    -- When the old address approved the change.
    approved_at     timestamptz,
    -- When the new address was confirmed. A user's own change needs it.
    confirmed_at    timestamptz,
    ended_at        timestamptz,
    -- taken: another user got the address first.
    ended_as        text CHECK (ended_as IN ('effective', 'refused', 'replaced', 'canceled', 'taken')),
    CHECK (email <> email_before),
    CHECK ((asked_by_audience = 'system') = (asked_by IS NULL)),
    CHECK ((ended_at IS NULL) = (ended_as IS NULL))
);
CREATE UNIQUE INDEX email_change_open ON email_change (audience, user_id) WHERE ended_at IS NULL;

-- For the changes whose time has come, and for the earlier address of a user.
CREATE INDEX email_change_waiting ON email_change (waits_until) WHERE ended_at IS NULL;
CREATE INDEX email_change_of_user ON email_change (audience, user_id, ended_at);

-- The outbox of e-mails.
--
-- Why a row holds no text: the e-mail is composed when it is sent, from its kind and its facts. So no link that gives
-- access is ever stored in the database.
-- Why a password reset writes the same row for every address: the sender checks later whether a user has the address.
-- So neither the response nor its time reveals whether the address is known.
-- Why an e-mail to a buyer has an empty `recipient`: the sender reads name and address from `order_buyer`. So an erased
-- buyer gets no more e-mails, and no row of `mail` contains the buyer's name or address.
CREATE TABLE mail (
    id            uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind ~ '^[a-z]+(-[a-z]+)*$'),
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- NULL: only the address is known. The sender looks up which user has it, if any.
    user_id       uuid,
    recipient     text NOT NULL CHECK (recipient = lower(recipient) AND length(recipient) <= 254),
    -- Scheme and host of the panel to which the links lead. The host also selects the tenant (the branding).
    panel_url     text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    -- The values that the e-mail's text needs besides the user's name. They contain no secrets.
    facts         json NOT NULL DEFAULT '{}',
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- waiting: to be sent. sent: accepted by the SMTP server, or written to the local folder. nobody: there is no user
    -- to write to. given-up: refused permanently, or not delivered for too long.
    status        text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'nobody', 'given-up')),
    tries         integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- A claim moves it past the longest call, so that no other worker sends the same e-mail.
    next_try_at   timestamptz DEFAULT now(),
    last_error    text,
    ended_at      timestamptz,
    CHECK ((status = 'waiting') = (next_try_at IS NOT NULL)),
    CHECK ((status = 'waiting') = (ended_at IS NULL))
);
CREATE INDEX mail_due ON mail (next_try_at) WHERE status = 'waiting';

-- For the job that deletes old e-mails.
CREATE INDEX mail_by_end ON mail (ended_at) WHERE ended_at IS NOT NULL;

-- The age of the oldest e-mail that waits. A retry does not change the row's creation time.
CREATE INDEX mail_waiting ON mail (created_at, id) WHERE status = 'waiting';
