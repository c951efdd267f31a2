-- The outbox of e-mails, and the one-time codes in their links.
--
-- Why a row holds no text: the e-mail is composed when it is sent, from its kind and its facts. So no link that gives
-- access is ever stored in the database. A code is an HMAC that includes its row's id. The row stores only its hash.
-- Why a password reset writes the same row for every address: the sender checks later whether a user has the address.
-- So neither the response nor its time reveals whether the address is known.

CREATE TABLE one_time_code (
    id          uuid PRIMARY KEY,
    purpose     text NOT NULL CHECK (purpose IN ('reset-password', 'verify-email')),
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
