-- What happened to a withdrawal, step by step, and the days of which it consists.
--
-- Why: a person asks why a payout did not go twice. The events of a transfer and the calls to the bank are the answer.
-- The conversion reads the log once, for the events of transfers: about a second for a million events.
--
-- Locks `transfer` against everything for that time: 2 seconds for a million events with 20,000 withdrawals.

-- The sequences of a transfer's events, in order. Its events are read from the log, so nothing of them is stored twice.
ALTER TABLE transfer ADD COLUMN sequences bigint[];

-- The events that the read model has applied. The follower folds the later ones.
UPDATE transfer
   SET sequences = found.sequences
  FROM (SELECT event.business_id, (payload -> event_type) ->> 'transfer_id' AS transfer,
               array_agg(sequence ORDER BY sequence) AS sequences
          FROM event
          JOIN projection_checkpoint AS read
            ON read.model = 'transfers' AND read.shard = event.shard AND event.position <= read.position
         WHERE event_type IN ('TransferRequested', 'TransferApprovalGiven', 'TransferProcessing', 'TransferApproved',
                              'TransferRefused', 'TransferFailed', 'TransferReopened', 'TransferReturned',
                              'ManualTransferMade', 'TerminalRentalCharged', 'TerminalRentalCanceled')
         GROUP BY 1, 2) AS found
 WHERE found.business_id = transfer.business_id AND found.transfer = 'trf_' || transfer.transfer_id;

ALTER TABLE transfer
    ALTER COLUMN sequences SET NOT NULL,
    ADD CONSTRAINT transfer_has_events CHECK (cardinality(sequences) > 0);

-- The calls to the bank about a payout, and the bank's notices. A row is written before its call, so a call whose answer
-- was lost with the process stays visible: it has no outcome. The idempotency key of each call is the payout's id.
-- A row has no destination, no key of the platform at the bank and no body: only codes, the bank's id and its reason.
CREATE TABLE payout_step (
    step_id     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payout_id   uuid        NOT NULL,
    kind        text        NOT NULL CHECK (kind IN ('order', 'look_up', 'notice')),
    -- The try of the payout's row that made the call. A notice has none.
    attempt     integer     CHECK (attempt >= 1),
    -- By the business clock, as the events: of the call's begin, or of the notice's arrival.
    at          timestamptz NOT NULL,
    answered_at timestamptz CHECK (answered_at >= at),
    outcome     text        CHECK (outcome IN ('accepted', 'paid', 'failed', 'returned', 'not_found', 'unknown', 'rejected')),
    http_status smallint    CHECK (http_status BETWEEN 100 AND 599),
    fault       text        CHECK (fault ~ '^[a-z_]{1,60}$'),
    -- The bank's own id of the payment.
    bank_id     text        CHECK (length(bank_id) BETWEEN 1 AND 100),
    -- The bank's reason, without card numbers and control characters.
    reason      text        CHECK (length(reason) BETWEEN 1 AND 500),
    notice_id   text,
    CONSTRAINT payout_step_answered CHECK ((outcome IS NULL) = (answered_at IS NULL)),
    CONSTRAINT payout_step_of_try CHECK ((attempt IS NULL) = (kind = 'notice')),
    CONSTRAINT payout_step_of_notice CHECK ((notice_id IS NOT NULL) = (kind = 'notice'))
);
CREATE INDEX payout_step_by_payout ON payout_step (payout_id, step_id);
-- A notice that comes twice is one step.
CREATE UNIQUE INDEX payout_step_notice ON payout_step (payout_id, notice_id) WHERE notice_id IS NOT NULL;

-- The sums of large compositions. The credits of a withdrawal never change once they are there, so their sums are computed
-- once, and a withdrawal of a hundred thousand installments opens as fast as one of ten. A row is a run of credits of one
-- day, in the order of recording: settlements that are recorded late make several runs of a day. The composition is that
-- of the cents from `returned` to `taken` of all that the transfer took: a withdrawal that was reopened has another one.
CREATE TABLE composition_run (
    transfer_id   uuid    NOT NULL,
    returned      bigint  NOT NULL CHECK (returned >= 0),
    taken         bigint  NOT NULL CHECK (taken > returned),
    -- The amount of the transfer before the run: its place in the order of recording.
    skipped       bigint  NOT NULL CHECK (skipped >= 0),
    business_date date    NOT NULL,
    -- A sale or a credit with parts in several runs of a day counts in the first one.
    sales         integer NOT NULL CHECK (sales >= 0),
    installments  integer NOT NULL CHECK (installments >= sales),
    credits       integer NOT NULL CHECK (credits >= installments),
    gross         bigint  NOT NULL,
    fees          bigint  NOT NULL,
    refunded      bigint  NOT NULL CHECK (refunded >= 0),
    withheld      bigint  NOT NULL,
    net           bigint  NOT NULL,
    used          bigint  NOT NULL CHECK (used > 0),
    PRIMARY KEY (transfer_id, returned, taken, skipped),
    CHECK (gross - fees - refunded - withheld = net)
);
