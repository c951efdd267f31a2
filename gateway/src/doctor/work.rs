//! Work at other systems that is late, and what waits for staff.

use chrono::TimeDelta;
use gateway_mail::emails_late_count;
use gateway_outbox::LateWork;
use gateway_platform::effects::{payouts as payout_rows, refunds as refund_rows};
use gateway_platform::exceptions::{exceptions_by_hand, exceptions_oldest_seconds, exceptions_waiting};
use gateway_platform::orders as order_rows;
use gateway_platform::reports::report_emails_late;
use ledger_domain::Cents;

use super::{Finding, Found, Place, Section, counted};

/// `RazaoExceptionsOld`.
pub(super) const EXCEPTIONS_OLD: TimeDelta = TimeDelta::hours(4);

pub(super) async fn payouts(place: &Place<'_>) -> Found {
    let late_after = place.config.withdrawals.payout_late_after;
    let late = payout_rows::late_work(place.client, late_after).await?;
    Ok(lines("payout", Section::PayoutsLate, &late))
}

pub(super) async fn refunds(place: &Place<'_>) -> Found {
    let late = refund_rows::late_work(place.client, place.config.refunds.late_after).await?;
    Ok(lines("refund", Section::AcquirerLate, &late))
}

pub(super) async fn orders(place: &Place<'_>) -> Found {
    let late_after = place.config.acquirers.orders_late_after;
    let late = order_rows::late_work(place.client, late_after).await?;
    Ok(lines("charge", Section::AcquirerLate, &late))
}

/// A line for each status: what is unknown is looked up, and what is unreadable waits for staff.
fn lines(noun: &str, section: Section, late: &[LateWork]) -> Vec<Finding> {
    let line = |late: &LateWork| {
        let section = match late.status.as_str() {
            "unreadable" => Section::ExceptionsOld,
            _ => section,
        };
        let error = late.last_error.as_deref();
        let error = error.map_or_else(String::new, |error| format!(", most of them with {error}"));
        let verb = if late.rows == 1 { "is" } else { "are" };
        let what = match late.status.as_str() {
            "unreadable" => format!(
                "{} {verb} unreadable and {verb} not tried again",
                counted(late.rows, noun)
            ),
            status => format!(
                "{} {verb} late in the status {status}{error}",
                counted(late.rows, noun)
            ),
        };
        Finding::wrong(section, what)
            .since_seconds(late.oldest_seconds)
            .rows(late.rows)
            .amount(Cents::new(late.amount))
    };
    late.iter().map(line).collect()
}

pub(super) async fn emails(place: &Place<'_>) -> Found {
    let late = emails_late_count(place.client).await?;
    let mut findings = vec![];
    if late.count > 0 {
        let what = format!(
            "{} not sent for more than 15 minutes",
            counted(late.count, "e-mail")
        );
        findings.push(
            Finding::wrong(Section::EmailsStuck, what)
                .since_seconds(late.oldest_seconds)
                .rows(late.count),
        );
    }
    let reports = report_emails_late(place.client, place.clock.today()).await?;
    if reports > 0 {
        let what = format!(
            "{} by e-mail due before today and not sent",
            counted(reports, "report")
        );
        findings.push(Finding::wrong(Section::EmailsStuck, what).rows(reports));
    }
    Ok(findings)
}

pub(super) async fn exceptions(place: &Place<'_>) -> Found {
    let waiting = exceptions_waiting(place.client).await?;
    if waiting == 0 {
        return Ok(vec![]);
    }
    let oldest = exceptions_oldest_seconds(place.client).await?;
    let by_hand = exceptions_by_hand(place.client).await?;
    let what = match by_hand {
        0 => format!("{} for staff or for a cause to be mended", waits(waiting)),
        _ => format!(
            "{}, {by_hand} of them until staff settled them outside",
            waits(waiting)
        ),
    };
    let finding = if oldest > EXCEPTIONS_OLD.num_seconds() {
        Finding::wrong(Section::ExceptionsOld, what)
    } else {
        Finding::note(what)
    };
    Ok(vec![finding.since_seconds(oldest).rows(waiting)])
}

fn waits(exceptions: i64) -> String {
    let verb = if exceptions == 1 { "waits" } else { "wait" };
    format!("{} {verb}", counted(exceptions, "exception"))
}
