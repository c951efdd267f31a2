-- Mail: what is to be written to whom, until a server has taken it, and the codes that its links carry.
--
-- Why a row holds no text: a letter is written when it is sent, from its kind and its facts, so that no link that lets
-- somebody in ever stands in the database. A code is an HMAC of its row's id; the row keeps its hash.
-- Why asking for a new password writes the same row for every address: whether somebody has that address is found out
-- by whoever sends it, so that nobody learns it from the answer, nor from how long it took.

CREATE TABLE one_time_code (
    id          uuid PRIMARY KEY,
    purpose     text NOT NULL CHECK (purpose IN ('reset-password', 'verify-email')),
    audience    text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- Of seller_user or admin_user, by audience.
    user_id     uuid NOT NULL,
    -- Where it was sent: whoever has the code reads this address.
    email       text NOT NULL CHECK (email = lower(email) AND length(email) <= 254),
    code_hash   bytea NOT NULL UNIQUE CHECK (length(code_hash) = 32),
    created_at  timestamptz NOT NULL DEFAULT now(),
    expires_at  timestamptz NOT NULL,
    -- When it was used, or ended because another one was.
    used_at     timestamptz,
    CHECK (expires_at > created_at)
);
CREATE INDEX one_time_code_open ON one_time_code (audience, user_id, purpose) WHERE used_at IS NULL;
-- For sweeping what is long over.
CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at);

CREATE TABLE mail (
    id            uuid PRIMARY KEY,
    kind          text NOT NULL CHECK (kind ~ '^[a-z]+(-[a-z]+)*$'),
    audience      text NOT NULL CHECK (audience IN ('seller', 'admin')),
    -- NULL where only the address is known: who has it, if anybody, is looked up when it is sent.
    user_id       uuid,
    recipient     text NOT NULL CHECK (recipient = lower(recipient) AND length(recipient) <= 254),
    -- Scheme and host of the panel that its links lead to, which is also the tenant that it speaks for.
    panel_url     text NOT NULL CHECK (panel_url ~ '^https?://[^/]+$'),
    -- What the letter's words need beside the person's name; nothing secret.
    facts         json NOT NULL DEFAULT '{}',
    created_at    timestamptz NOT NULL DEFAULT now(),
    -- waiting: to be sent. sent: a server, or the local folder, has taken it. nobody: there is no such person to write
    -- to. given-up: refused for good, or for too long.
    status        text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'nobody', 'given-up')),
    tries         integer NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- A claim moves it beyond the longest call.
    next_try_at   timestamptz DEFAULT now(),
    last_error    text,
    ended_at      timestamptz,
    CHECK ((status = 'waiting') = (next_try_at IS NOT NULL)),
    CHECK ((status = 'waiting') = (ended_at IS NULL))
);
CREATE INDEX mail_due ON mail (next_try_at) WHERE status = 'waiting';
-- For sweeping what is long over.
CREATE INDEX mail_by_end ON mail (ended_at) WHERE ended_at IS NOT NULL;
