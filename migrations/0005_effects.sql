-- Effects: what has to be done outside because of what the ledger recorded, and how far each reactor has read the log.
--
-- A reactor turns events into rows of work and moves its checkpoint in one transaction, so that each event leads to its
-- work exactly once. Whoever does the work claims a row by moving its next try forward, and whatever comes of it goes
-- to the ledger as a command: nothing here is the truth about money.

-- How far each reactor has followed each shard. One that meets an event it cannot take stops there, with the reason on
-- the row, and waits for people: passing over an event would leave something undone that was promised.
CREATE TABLE reactor_checkpoint (
    reactor         text        NOT NULL,
    shard           smallint    NOT NULL REFERENCES log_shard,
    position        bigint      NOT NULL DEFAULT 0 CHECK (position >= 0),
    poison_position bigint      CHECK (poison_position > position),
    poison          text,
    moved_at        timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (reactor, shard),
    CHECK ((poison IS NULL) = (poison_position IS NULL))
) WITH (fillfactor = 50);

INSERT INTO reactor_checkpoint (reactor, shard)
SELECT reactor, generate_series(0, 15) FROM unnest(ARRAY['payouts', 'refunds']) AS reactor;

-- One row a payout: an attempt to pay a withdrawal through a bank, from the ledger's word that it is being paid to the
-- ledger's word how it ended. Its id is the bank's idempotency key, so that an order told twice pays once.
CREATE TABLE payout (
    payout_id    uuid        PRIMARY KEY,
    transfer_id  uuid        NOT NULL,
    business_id  uuid        NOT NULL,
    -- Whom it was first sent to, and who alone is asked about it from then on; NULL while nobody was.
    provider     text        CHECK (provider <> ''),
    -- What is to reach the destination: the withdrawal less its fee.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    destination  json        NOT NULL,
    -- waiting: never sent. unknown: sent, or about to be, and nobody has said that it arrived: asked about before it is
    -- sent again. sent: the bank has it. paid, failed: the ledger knows its end.
    status       text        NOT NULL DEFAULT 'waiting'
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'paid', 'failed')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When it is to be sent or asked about next; a claim moves it beyond the longest call.
    next_try_at  timestamptz DEFAULT now(),
    -- A code of what went wrong at the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    CHECK ((status IN ('paid', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((status IN ('paid', 'failed')) = (next_try_at IS NULL)),
    CHECK (provider IS NOT NULL OR status IN ('waiting', 'paid', 'failed'))
);

-- The ledger lets one payout of a transfer be in flight; two open rows would be two payments.
CREATE UNIQUE INDEX payout_in_flight ON payout (transfer_id) WHERE ended_at IS NULL;
CREATE INDEX payout_due ON payout (next_try_at) WHERE ended_at IS NULL;

-- One row a request: to have the acquirer that captured a sale give its buyer the money back, from the ledger's word that
-- the platform cancelled the sale to the acquirer's last word. Its id is the acquirer's idempotency key, so that a request
-- told twice refunds once.
CREATE TABLE refund (
    refund_id    uuid        PRIMARY KEY,
    sale_id      uuid        NOT NULL,
    -- The first follows from the ledger's event. A further one is asked for by staff, and only once the acquirer has
    -- refused the one before for good.
    attempt      integer     NOT NULL DEFAULT 1 CHECK (attempt >= 1),
    business_id  uuid        NOT NULL,
    -- Who captured the sale, and the sale's id there.
    provider     smallint    NOT NULL CHECK (provider BETWEEN 1 AND 8),
    external_id  text        NOT NULL CHECK (external_id <> ''),
    -- What the buyer had paid.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- waiting: never sent. unknown: sent, or about to be, and nobody has said that it arrived: asked about before it is
    -- sent again. sent: the acquirer has it. done, refused: its last word.
    status       text        NOT NULL DEFAULT 'waiting'
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'done', 'refused')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When it is to be sent or asked about next; a claim moves it beyond the longest call.
    next_try_at  timestamptz DEFAULT now(),
    -- A code of what went wrong at the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    -- The acquirer's own words of its refusal.
    reason       text        CHECK (reason !~ '[[:cntrl:]]'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    UNIQUE (sale_id, attempt),
    CHECK ((status IN ('done', 'refused')) = (ended_at IS NOT NULL)),
    CHECK ((status IN ('done', 'refused')) = (next_try_at IS NULL)),
    CHECK (reason IS NULL OR status = 'refused')
);

-- Beside one that is open or done there is no other: two would be two refunds.
CREATE UNIQUE INDEX refund_once ON refund (sale_id) WHERE status <> 'refused';
CREATE INDEX refund_due ON refund (next_try_at) WHERE ended_at IS NULL;

-- Months whose rentals are all charged. Who rents which terminal at a month's beginning never changes afterwards
-- (migration 0003), so such a month need not be looked at again, however long the history.
CREATE TABLE rental_month (
    due_date    date        PRIMARY KEY CHECK (extract(day FROM due_date) = 1),
    charged_at  timestamptz NOT NULL DEFAULT now()
);
