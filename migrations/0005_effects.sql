-- Effects: actions outside the platform that recorded events require, and how far each effect handler has read the log.
--
-- An effect handler turns events into outbox rows and moves its checkpoint in the same transaction, so that each event
-- creates its row exactly once. A worker claims a row by postponing its next try. It reports the outcome to the ledger
-- as a command. These tables are never the source of truth about money.

-- How far each effect handler (column `reactor`) has read each shard. At an event that it cannot apply (a poison event)
-- it stops and stores the reason, until an operator acts. Skipping the event could lose a payout or a refund.
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

-- One row for each payout: one attempt to pay a withdrawal through a bank. It lasts from the ledger's event that the
-- withdrawal is being paid until the ledger's event with the outcome. Its id is the bank's idempotency key, so that an
-- order that is sent twice pays once.
CREATE TABLE payout (
    payout_id    uuid        PRIMARY KEY,
    transfer_id  uuid        NOT NULL,
    business_id  uuid        NOT NULL,
    -- The provider to which it was first sent. Only this provider is asked about it from then on. NULL: never sent.
    provider     text        CHECK (provider <> ''),
    -- The withdrawal less its fee, in cents.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    destination  json        NOT NULL,
    -- waiting: never sent. unknown: sent or about to be sent, without confirmation; the worker asks the bank about it
    -- before it sends it again. sent: the bank has it. paid, failed: the ledger recorded the outcome.
    status       text        NOT NULL DEFAULT 'waiting'
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'paid', 'failed')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When to send it, or ask about it, next. A claim moves it past the longest call, so that no other worker takes it.
    next_try_at  timestamptz DEFAULT now(),
    -- The error code of the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    CHECK ((status IN ('paid', 'failed')) = (ended_at IS NOT NULL)),
    CHECK ((status IN ('paid', 'failed')) = (next_try_at IS NULL)),
    CHECK (provider IS NOT NULL OR status IN ('waiting', 'paid', 'failed'))
);

-- The ledger allows one payout in flight for each transfer. Two open rows would pay twice.
CREATE UNIQUE INDEX payout_in_flight ON payout (transfer_id) WHERE ended_at IS NULL;
CREATE INDEX payout_due ON payout (next_try_at) WHERE ended_at IS NULL;

-- One row for each request that the acquirer that captured a sale returns the buyer's money. It lasts from the ledger's
-- event that the platform canceled the sale until the acquirer's final answer. Its id is the acquirer's idempotency
-- key, so that a request that is sent twice refunds once.
CREATE TABLE refund (
    refund_id    uuid        PRIMARY KEY,
    sale_id      uuid        NOT NULL,
    -- The ledger's event causes attempt 1. Staff request a further one, only after the acquirer has finally refused the
    -- previous one.
    attempt      integer     NOT NULL DEFAULT 1 CHECK (attempt >= 1),
    business_id  uuid        NOT NULL,
    -- The acquirer that captured the sale, and the acquirer's id of the sale.
    provider     smallint    NOT NULL CHECK (provider BETWEEN 1 AND 8),
    external_id  text        NOT NULL CHECK (external_id <> ''),
    -- What the buyer paid, in cents.
    amount       bigint      NOT NULL CHECK (amount BETWEEN 1 AND 9999999999),
    -- waiting: never sent. unknown: sent or about to be sent, without confirmation; the worker asks the acquirer about
    -- it before it sends it again. sent: the acquirer has it. done, refused: the acquirer's final answer.
    status       text        NOT NULL DEFAULT 'waiting'
                 CHECK (status IN ('waiting', 'unknown', 'sent', 'done', 'refused')),
    tries        integer     NOT NULL DEFAULT 0 CHECK (tries >= 0),
    -- When to send it, or ask about it, next. A claim moves it past the longest call, so that no other worker takes it.
    next_try_at  timestamptz DEFAULT now(),
    -- The error code of the last try.
    last_error   text        CHECK (last_error ~ '^[a-z_]{1,60}$'),
    -- The acquirer's text of its refusal.
    reason       text        CHECK (reason !~ '[[:cntrl:]]'),
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    ended_at     timestamptz,
    UNIQUE (sale_id, attempt),
    CHECK ((status IN ('done', 'refused')) = (ended_at IS NOT NULL)),
    CHECK ((status IN ('done', 'refused')) = (next_try_at IS NULL)),
    CHECK (reason IS NULL OR status = 'refused')
);

-- A sale has at most one refund that is open or done. Two would refund the buyer twice.
CREATE UNIQUE INDEX refund_once ON refund (sale_id) WHERE status <> 'refused';
CREATE INDEX refund_due ON refund (next_try_at) WHERE ended_at IS NULL;

-- Months whose terminal rentals are all charged. The rental terms at the start of a month never change afterwards
-- (migration 0003). So the job skips these months, however long the history is.
CREATE TABLE rental_month (
    due_date    date        PRIMARY KEY CHECK (extract(day FROM due_date) = 1),
    charged_at  timestamptz NOT NULL DEFAULT now()
);
