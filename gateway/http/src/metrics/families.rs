//! The families of metrics that the program records, with their help.
//!
//! A family is in every answer, also before its first sample. Counters begin at 0 where their labels are known: the
//! increase of a series that begins with its first count is invisible to Prometheus.

use gateway_identity::email_queue::EmailKind;

use super::page::{Kind, head};

struct Family {
    kind: Kind,
    name: &'static str,
    help: &'static str,
    /// The series that begin at 0, by their labels.
    begins: &'static [Labels],
}

type Labels = &'static [(&'static str, &'static str)];

/// One series without labels.
const ONE: &[Labels] = &[&[]];
/// The labels are known once something is counted.
const LATER: &[Labels] = &[];

const fn counter(name: &'static str, help: &'static str, begins: &'static [Labels]) -> Family {
    Family {
        kind: Kind::Counter,
        name,
        help,
        begins,
    }
}

/// Set by its task in the first seconds or minutes.
const fn gauge(name: &'static str, help: &'static str) -> Family {
    Family {
        kind: Kind::Gauge,
        name,
        help,
        begins: LATER,
    }
}

const FAMILIES: &[Family] = &[
    counter(
        "razao_http_requests_total",
        "Answered requests by method, route and status.",
        LATER,
    ),
    Family {
        kind: Kind::Histogram,
        name: "razao_http_request_duration_seconds",
        help: "Time from a request's header to its answer, by method and route.",
        begins: LATER,
    },
    gauge("razao_http_connections", "Open connections of each listener."),
    counter(
        "razao_http_connections_overdue_total",
        "Connections that were closed because the client was too slow, by the phase of the request.",
        &[
            &[("phase", "idle")],
            &[("phase", "header")],
            &[("phase", "serving")],
            &[("phase", "answering")],
            &[("phase", "sending")],
        ],
    ),
    counter(
        "razao_ledger_answers_total",
        "Answers of the writer to commands, by outcome.",
        &[
            &[("outcome", "recorded")],
            &[("outcome", "duplicate")],
            &[("outcome", "refused")],
            &[("outcome", "belongs_to_other")],
            &[("outcome", "key_reused")],
            &[("outcome", "not_owner")],
            &[("outcome", "rejected")],
            &[("outcome", "conflict")],
            &[("outcome", "unknown")],
        ],
    ),
    Family {
        kind: Kind::Summary,
        name: "razao_ledger_batch_events",
        help: "Events of a batch that the writer appended.",
        begins: LATER,
    },
    Family {
        kind: Kind::Histogram,
        name: "razao_ledger_commit_seconds",
        help: "Time that the database took to append a batch.",
        begins: LATER,
    },
    gauge(
        "razao_ledger_queue_commands",
        "Commands that wait for a lane of the writer.",
    ),
    counter(
        "razao_ledger_shards_lost_total",
        "Shards that another process took, or that were given up after an error.",
        ONE,
    ),
    counter(
        "razao_ledger_connections_lost_total",
        "Connections of the writer that the database closed or that failed.",
        ONE,
    ),
    counter(
        "razao_ledger_commands_forwarded_total",
        "Commands that were sent to the process that owns their shard.",
        ONE,
    ),
    counter(
        "razao_ledger_decisions_panicked_total",
        "Commands whose decision panicked; nothing was recorded.",
        ONE,
    ),
    counter(
        "razao_projection_events_total",
        "Positions of the log that the read models have followed.",
        ONE,
    ),
    gauge(
        "razao_projection_lag_events",
        "Events that a read model has not applied yet, in all shards of the process.",
    ),
    gauge(
        "razao_projection_stopped_shards",
        "Shards in which a read model stopped before an event that it cannot apply.",
    ),
    gauge(
        "razao_effects_lag_events",
        "Events that an effect has not applied yet.",
    ),
    gauge(
        "razao_effects_stopped_shards",
        "Shards in which an effect stopped before an event that it cannot apply.",
    ),
    counter(
        "razao_payout_answers_total",
        "Answers of the bank to orders of payouts, by provider and answer.",
        LATER,
    ),
    counter(
        "razao_payouts_overruled_total",
        "Payouts that the bank paid after it had reported a failure.",
        ONE,
    ),
    counter(
        "razao_payouts_paid_twice_total",
        "Payouts that the bank reports to have paid twice.",
        ONE,
    ),
    counter(
        "razao_refund_answers_total",
        "Answers of acquirers to refunds, by provider and answer.",
        LATER,
    ),
    counter(
        "razao_refunds_refused_total",
        "Refunds that an acquirer refused.",
        ONE,
    ),
    counter(
        "razao_charge_answers_total",
        "Answers of acquirers to charges of orders, by provider and answer.",
        LATER,
    ),
    gauge(
        "razao_exceptions_waiting",
        "Exceptions that wait, as counted once a minute by a process that records for all companies.",
    ),
    counter(
        "razao_exceptions_by_hand_total",
        "Exceptions that only staff can settle, by reason.",
        LATER,
    ),
    counter(
        "razao_rows_unreadable_total",
        "Rows of work that could not be read, by table.",
        &[
            &[("table", "payout")],
            &[("table", "refund")],
            &[("table", "mail")],
            &[("table", "order_attempt")],
            &[("table", "plan_impact")],
        ],
    ),
    gauge(
        "razao_adjustment_requests",
        "Requested adjustments: pending ones wait for a second person, unrecorded ones for the ledger.",
    ),
    gauge(
        "razao_adjustment_requests_oldest_seconds",
        "Age of the oldest pending request of an adjustment.",
    ),
    counter(
        "razao_adjustments_requested_total",
        "Adjustments that need a second person, by kind.",
        LATER,
    ),
    counter(
        "razao_emails_total",
        "E-mails that ended, by kind and outcome.",
        LATER,
    ),
    counter(
        "razao_card_forms_closed_total",
        "Card forms of payment links that were closed because somebody tested cards.",
        ONE,
    ),
    counter(
        "razao_buyers_erased_total",
        "Orders whose buyer's data was erased.",
        &[&[("kind", "staff")], &[("kind", "retention")]],
    ),
    counter(
        "razao_audit_entries_lost_total",
        "Changes whose line in the audit log of users could not be written.",
        ONE,
    ),
    counter(
        "razao_postal_codes_unanswered_total",
        "Look-ups of postal codes that the service did not answer.",
        ONE,
    ),
    counter(
        "razao_task_failures_total",
        "Failures of a task, after which it was started again.",
        LATER,
    ),
    counter(
        "razao_slow_statements_total",
        "Statements that took longer than RAZAO_SLOW_STATEMENT_MS, by the statement's name.",
        LATER,
    ),
    counter(
        "razao_log_lines_lost_total",
        "Lines of the log that could not be written.",
        ONE,
    ),
    gauge(
        "razao_replica_lag_seconds",
        "How far the replica for reads is behind; NaN while it cannot be asked, absent without a replica.",
    ),
    gauge(
        "razao_replica_usable",
        "Whether the replica answers reads; absent without a replica.",
    ),
    counter(
        "razao_replica_reads_total",
        "Reads that the replica answered.",
        ONE,
    ),
    counter(
        "razao_replica_fallbacks_total",
        "Reads that the primary answered because the replica could not.",
        ONE,
    ),
];

/// Describes the families to the recorder and begins their series.
pub fn begin() {
    for Family {
        kind,
        name,
        help,
        begins,
    } in FAMILIES
    {
        match kind {
            Kind::Counter => metrics::describe_counter!(*name, *help),
            Kind::Gauge => metrics::describe_gauge!(*name, *help),
            Kind::Histogram | Kind::Summary => metrics::describe_histogram!(*name, *help),
        }
        for labels in *begins {
            metrics::counter!(*name, *labels).increment(0);
        }
    }
    for kind in EmailKind::ALL {
        for outcome in ["done", "given-up"] {
            metrics::counter!("razao_emails_total", "kind" => kind.as_str(), "outcome" => outcome)
                .increment(0);
        }
    }
}

/// The heads of the families that have no series yet.
pub fn heads_missing_in(recorded: &str) -> String {
    let missing = FAMILIES
        .iter()
        .filter(|family| !recorded.contains(&format!("# TYPE {} ", family.name)));
    missing
        .map(|family| head(family.kind, family.name, family.help))
        .collect()
}
