//! Selects the story's sales that are reversed: refunded, reversed or disputed as their acquirer reports later, or
//! canceled by a user in a panel. The selection is always the same.
//!
//! Only small sales are selected, so that no company's balance becomes negative by them.

use std::collections::HashSet;

use chrono::{Datelike, Duration};
use ledger_domain::calendar::Date;
use ledger_domain::sale::PaymentType;

use super::rng::DemoRng;
use super::story::Company;
use super::trade::{DemoNotice, NoticeStep, Sale};
use super::withdrawal_plan::withdrawals_begin;

const AMOUNT_MAX: i64 = 250_00;
/// The reason of a refund of a third of the sale.
pub const PART_RETURNED: &str = "Devolução de um item da compra";

/// The notices that the acquirer sends after the payment; for most sales none.
pub fn later_steps(external_id: &str, amount: i64, steps: &[NoticeStep]) -> Vec<NoticeStep> {
    let captured = steps.iter().find(|(r#type, ..)| *r#type == "sale.captured");
    let Some((_, paid_after, _)) = captured.filter(|_| amount <= AMOUNT_MAX) else {
        return vec![];
    };
    // A separate generator, so that changes of the reversals do not change the sales. Another seed would give another
    // story.
    let mut rng = DemoRng::seeded_by(&format!("{external_id}/undone"));
    let mut days = |least: i64, most: i64| Duration::minutes(rng.between(least * 1_440, most * 1_440));
    match DemoRng::seeded_by(&format!("{external_id}/fate")).below(1_000) {
        0..2 => vec![(
            "sale.refunded",
            *paid_after + days(1, 6),
            Some("Devolução pedida pelo comprador"),
        )],
        2..3 => vec![(
            "sale.reversed",
            *paid_after + days(0, 2),
            Some("Transação em duplicidade desfeita pela adquirente"),
        )],
        3..6 => {
            let opened = *paid_after + days(3, 15);
            let (r#type, reason) =
                if DemoRng::seeded_by(&format!("{external_id}/dispute")).with_probability(55) {
                    ("dispute.won", "Comprovante aceito pelo emissor")
                } else {
                    ("dispute.lost", "Comprovante recusado pelo emissor")
                };
            vec![
                ("dispute.opened", opened, Some("Comprador não reconhece a compra")),
                (r#type, opened + days(10, 25), Some(reason)),
            ]
        }
        _ => vec![],
    }
}

/// Gives one small paid sale of the day a reversal that is derived from the date alone. Random choices may leave out a
/// kind of reversal. With these sales, the story has at least three of each kind, and three open disputes, on every day
/// that it is loaded.
pub fn add_daily_reversal(day: Date, sales: &mut [Sale]) {
    let Some(sale) = sales.iter_mut().find(|sale| can_be_reversed(sale)) else {
        return;
    };
    let number = i64::from(day.num_days_from_ce());
    // One of several possible durations since the sale's creation. The date chooses it, so that the days differ.
    let between =
        |least: i64, most: i64| Duration::hours(24 * least + number * 7 % (24 * (most - least) + 1));
    match number % 3 {
        0 => {
            let opened = between(3, 5);
            let (r#type, reason) = if number % 2 == 0 {
                ("dispute.won", "Comprovante aceito pelo emissor")
            } else {
                ("dispute.lost", "Comprovante recusado pelo emissor")
            };
            let claim = Some("Comprador não reconhece a compra");
            sale.steps.push(("dispute.opened", opened, claim));
            sale.steps.push((r#type, opened + between(13, 20), Some(reason)));
        }
        1 => {
            let reason = if number % 2 == 0 {
                "Devolução pedida pelo comprador"
            } else {
                PART_RETURNED
            };
            sale.steps.push(("sale.refunded", between(1, 3), Some(reason)));
        }
        _ => sale.steps.push((
            "sale.reversed",
            Duration::hours(1) + between(0, 1),
            Some("Transação em duplicidade desfeita pela adquirente"),
        )),
    }
}

/// Whether the sale is small and paid, and has neither a cancel nor a step after its payment. Boletos are left out,
/// because they may be paid after the time of the reversal.
fn can_be_reversed(sale: &Sale) -> bool {
    let was_canceled = sale.steps.iter().any(|(r#type, ..)| *r#type == "sale.canceled");
    !was_canceled
        && sale.facts.payment_type != PaymentType::Boleto.as_str()
        && sale.facts.amount <= AMOUNT_MAX
        && sale
            .steps
            .last()
            .is_some_and(|(r#type, ..)| *r#type == "sale.captured")
}

/// The capture of the sale that a user of the company cancels in the panel on a withdrawal day. It is from the last two
/// days. The sale has no later step and is no boleto, which some acquirers do not refund. Often there is none.
pub fn canceled_on<'a>(company: &Company, day: Date, notices: &'a [DemoNotice]) -> Option<&'a DemoNotice> {
    let mut rng = DemoRng::seeded_by(&format!("canceled/{}/{day}", company.key));
    if !rng.with_probability(40) {
        return None;
    }
    let last_two_days = withdrawals_begin(day) - Duration::days(2)..withdrawals_begin(day);
    let external_id = |notice: &'a DemoNotice| notice.content.data.external_id.as_str();
    let is_first_notice =
        |notice: &DemoNotice| matches!(notice.content.r#type, "sale.created" | "sale.captured");
    let with_later_notice: HashSet<_> = notices
        .iter()
        .filter(|notice| !is_first_notice(notice))
        .map(external_id)
        .collect();
    let candidates: Vec<_> = notices
        .iter()
        .filter(|notice| {
            notice.content.r#type == "sale.captured"
                && notice.content.data.amount <= AMOUNT_MAX
                && notice.content.data.payment_type != PaymentType::Boleto.as_str()
                && last_two_days.contains(&notice.content.occurred_at)
                && notice.company == company.key
                && !with_later_notice.contains(external_id(notice))
        })
        .collect();
    if candidates.is_empty() {
        return None;
    }
    Some(*rng.one_of(&candidates))
}

#[cfg(test)]
mod tests {
    use ledger_domain::calendar::start_of;

    use super::*;
    use crate::demo::withdrawal_plan::withdrawal_days;
    use crate::demo::{Story, notices_until};

    #[test]
    fn a_sale_that_a_panel_cancels_is_small_recent_and_has_no_later_notice() {
        let today: Date = "2026-11-21".parse().expect("a date");
        let story = Story::read();
        let notices = notices_until(&story, today, start_of(today) + Duration::hours(15));
        let mut canceled = vec![];
        for day in withdrawal_days(today) {
            for company in &story.companies {
                canceled.extend(canceled_on(company, day, &notices).map(|sale| (day, sale)));
                assert_eq!(
                    canceled_on(company, day, &notices).map(|notice| &notice.content.id),
                    canceled_on(company, day, &notices).map(|notice| &notice.content.id)
                );
            }
        }
        assert!((8..40).contains(&canceled.len()), "{}", canceled.len());
        for (day, sale) in canceled {
            let age = withdrawals_begin(day) - sale.content.occurred_at;
            assert!(age > Duration::zero() && age <= Duration::days(2), "{age}");
            let external_id = &sale.content.data.external_id;
            let later = |notice: &&DemoNotice| {
                notice.content.data.external_id == *external_id
                    && notice.content.occurred_at > sale.content.occurred_at
            };
            assert!(sale.content.data.amount <= AMOUNT_MAX && !notices.iter().any(|notice| later(&notice)));
        }
    }
}
