//! The words that a column allows are those of the enum that reads it.

use std::collections::{BTreeMap, BTreeSet};

use gateway_identity::users::Theme;
use gateway_platform::adjustments::AdjustmentKind;
use gateway_platform::adjustments::requests::AdjustmentRequestStatus;
use gateway_platform::audience::Audience;
use gateway_platform::companies::{Approval, BusinessDecisionStatus, BusinessType, DocumentKind};
use gateway_platform::contact::ContactState;
use gateway_platform::effects::payouts::{CallKind, CallResult};
use gateway_platform::exceptions::ExceptionStatus;
use gateway_platform::files::MediaType;
use gateway_platform::holds::documents::HoldDocumentState;
use gateway_platform::links::FeePayer;
use gateway_platform::plans::changes::PlanChangeStatus;
use gateway_platform::plans::impact::{ImpactFailureReason, ImpactKind, ImpactStatus};
use gateway_platform::reconciliation::{
    DifferenceKind, DifferenceState, EntryKind, FileFormat, ImportFailure, ImportState,
};
use gateway_platform::reports::{Rhythm, StoppedBy};
use gateway_platform::withdrawals::schedule::{Frequency, RunOutcome};
use ledger_domain::Words;
use ledger_domain::order::OrderStatus;
use ledger_domain::sale::{PaymentType, SaleStatus};
use ledger_domain::transfer::AccountType;
use ledger_store::verify::last::Part;

use crate::support::TestApp;

/// What a column with a CHECK of words is compared with.
enum Claim {
    /// The words of an enum.
    Enum(BTreeSet<String>),
    /// Some words of an enum. The reason says why not all.
    Part(BTreeSet<String>, &'static str),
    /// No enum of `words!` has them. The reason says why.
    NoEnum(&'static str),
}

fn words<T: Words>() -> BTreeSet<String> {
    T::ALL.iter().map(|value| value.as_str().to_owned()).collect()
}

fn of<T: Words>() -> Claim {
    Claim::Enum(words::<T>())
}

fn part_of<T: Words>(reason: &'static str) -> Claim {
    Claim::Part(words::<T>(), reason)
}

const OUTBOX: Claim =
    Claim::NoEnum("the states of an outbox and the ends of its work, which the outbox spells");

fn claims() -> BTreeMap<&'static str, Claim> {
    use Claim::NoEnum;
    BTreeMap::from([
        ("acquirer_rate.payment_type", of::<PaymentType>()),
        ("acquirer_receivable.entry", of::<EntryKind>()),
        (
            "acquirer_route.payment_type",
            part_of::<PaymentType>("a checkout has no debit"),
        ),
        (
            "adjustment_alone.kind",
            part_of::<AdjustmentKind>("a court's money needs two people"),
        ),
        ("adjustment_request.kind", of::<AdjustmentKind>()),
        ("adjustment_request.status", of::<AdjustmentRequestStatus>()),
        (
            "audit_log.audience",
            NoEnum("the two audiences, and the program itself"),
        ),
        ("audit_verification.part", of::<Part>()),
        ("bank_account.account_type", of::<AccountType>()),
        ("business.approval", of::<Approval>()),
        ("business.type", of::<BusinessType>()),
        ("business_document.audience", of::<Audience>()),
        ("business_document.kind", of::<DocumentKind>()),
        (
            "company_decision.approval",
            NoEnum("the approvals that a decision leads to"),
        ),
        ("company_decision.status", of::<BusinessDecisionStatus>()),
        ("contact_message.state", of::<ContactState>()),
        (
            "email_change.asked_by_audience",
            NoEnum("the two audiences, and the program itself"),
        ),
        ("email_change.audience", of::<Audience>()),
        ("email_change.ended_as", NoEnum("only SQL reads and writes them")),
        ("exception.status", of::<ExceptionStatus>()),
        ("exception.work", NoEnum("names of tables")),
        ("hold_document.state", of::<HoldDocumentState>()),
        ("link_order.status", of::<OrderStatus>()),
        ("mail.audience", of::<Audience>()),
        ("mail.status", OUTBOX),
        ("one_time_code.audience", of::<Audience>()),
        (
            "one_time_code.purpose",
            NoEnum("the enum of purposes spells them"),
        ),
        (
            "order_attempt.brand_source",
            NoEnum("only SQL and one answer read them"),
        ),
        (
            "order_attempt.ends_as",
            NoEnum("an end that was decided: not paid"),
        ),
        (
            "order_attempt.payment_type",
            part_of::<PaymentType>("a checkout has no debit"),
        ),
        ("order_attempt.status", OUTBOX),
        ("payment_link.payer", of::<FeePayer>()),
        ("payout.status", OUTBOX),
        ("payout_step.kind", of::<CallKind>()),
        ("payout_step.outcome", of::<CallResult>()),
        ("plan_change.status", of::<PlanChangeStatus>()),
        ("plan_impact.failure", of::<ImpactFailureReason>()),
        ("plan_impact.kind", of::<ImpactKind>()),
        ("plan_impact.status", of::<ImpactStatus>()),
        ("reference_change.kind", NoEnum("only triggers write them")),
        ("refund.status", OUTBOX),
        ("report_email.audience", of::<Audience>()),
        ("report_email.every", of::<Rhythm>()),
        ("report_email.stopped_by", of::<StoppedBy>()),
        ("report_view.audience", of::<Audience>()),
        ("row_change.kind", NoEnum("only triggers write them")),
        (
            "sale_return.status",
            part_of::<SaleStatus>("the statuses that a return leads to"),
        ),
        (
            "session.revoked_for",
            NoEnum("only the store of sessions spells them"),
        ),
        ("session.audience", of::<Audience>()),
        ("seller_user.theme", of::<Theme>()),
        ("admin_user.theme", of::<Theme>()),
        ("settlement_difference.kind", of::<DifferenceKind>()),
        ("settlement_difference.state", of::<DifferenceState>()),
        ("settlement_import.failure", of::<ImportFailure>()),
        ("settlement_import.format", of::<FileFormat>()),
        (
            "settlement_import.source",
            NoEnum("follows from the format and the day"),
        ),
        ("settlement_import.state", of::<ImportState>()),
        ("stored_file.media_type", of::<MediaType>()),
        ("withdrawal_schedule.frequency", of::<Frequency>()),
        ("withdrawal_schedule_run.outcome", of::<RunOutcome>()),
    ])
}

/// The columns of all tables whose CHECK lists words, and the words.
async fn checked_columns(app: &TestApp) -> BTreeMap<String, BTreeSet<String>> {
    let client = app.database.client().await;
    // A CHECK of one column, such as `state = ANY (ARRAY['new'::text, 'closed'::text])`, or of one word. A table of each
    // shard has the same CHECKs, and counts once.
    let checks = client
        .query(
            "SELECT DISTINCT t.relname || '.' || a.attname,
                    ARRAY(SELECT word[1] FROM regexp_matches(definition, '''([^'']+)''::text', 'g') AS word)
               FROM pg_constraint c
               JOIN pg_class t ON t.oid = c.conrelid
               JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum],
                    pg_get_constraintdef(c.oid) AS definition
              WHERE c.contype = 'c' AND NOT t.relispartition
                AND definition ~ ('^CHECK \\(\\(\"?' || a.attname || '\"? = (ANY \\(ARRAY\\[)?''[^()]*(\\]\\))?\\)\\)$')",
            &[],
        )
        .await
        .expect("the catalog");
    let checks = checks.iter().map(|row| {
        let words: Vec<String> = row.get(1);
        (row.get(0), words.into_iter().collect())
    });
    checks.collect()
}

#[tokio::test]
async fn each_check_of_a_column_lists_the_words_of_its_enum() {
    let app = TestApp::start().await;
    let checked = checked_columns(&app).await;
    let claims = claims();
    let claimed: BTreeSet<_> = claims.keys().map(|column| (*column).to_owned()).collect();
    let found: BTreeSet<_> = checked.keys().cloned().collect();
    assert_eq!(claimed, found, "the columns with a CHECK of words");
    for (column, claim) in claims {
        let allowed = &checked[column];
        match claim {
            Claim::Enum(words) => assert_eq!(*allowed, words, "{column}"),
            Claim::Part(words, reason) => {
                assert!(
                    allowed.is_subset(&words) && *allowed != words,
                    "{column}: {reason}"
                );
            }
            Claim::NoEnum(reason) => assert!(!reason.is_empty(), "{column}"),
        }
    }
}
