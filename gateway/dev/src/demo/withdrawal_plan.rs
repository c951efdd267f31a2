//! The plan of the story's withdrawals: when each company withdraws, which share of its balance, and the result. The
//! plan is always the same.
//!
//! This is only the plan; `withdrawals` executes it.

use chrono::{DateTime, Datelike, Duration, Utc, Weekday};
use ledger_domain::calendar::{Date, Instant, start_of};
use ledger_domain::transfer::{DestinationKind, Direction};

use super::rng::DemoRng;
use super::story::Company;
use super::trade::DAYS;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// The name from which the ids of the withdrawal and of its payout are derived.
    pub key: String,
    /// The share of the available balance, in percent.
    pub share: i64,
    pub destination: DestinationKind,
    pub requested_at: Instant,
    pub outcome: WithdrawalOutcome,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalOutcome {
    /// Staff have not answered yet.
    Pending,
    /// Staff are paying it manually.
    Processing,
    Approved,
    ApprovedAfterProcessing,
    Refused(&'static str),
    Failed(&'static str),
    /// Failed at first, and paid at the second try.
    ApprovedAtSecondTry(&'static str),
    /// Refused, but then the bank reported that it had paid: staff must check it.
    RefusedButPaid(&'static str),
    /// Paid, and then the bank gave the money back.
    Returned(&'static str),
}

/// A step that staff or the bank take on a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalStep {
    Process,
    Approve,
    Refuse(&'static str),
    Fail(&'static str),
    Reopen,
    PaidByTheBank,
    Return(&'static str),
}

impl WithdrawalOutcome {
    /// The steps, each with the minutes after the request.
    pub fn steps(self) -> Vec<(i64, WithdrawalStep)> {
        match self {
            Self::Pending => vec![],
            Self::Processing => vec![(20, WithdrawalStep::Process)],
            Self::Approved => vec![(75, WithdrawalStep::Approve)],
            Self::ApprovedAfterProcessing => {
                vec![(35, WithdrawalStep::Process), (130, WithdrawalStep::Approve)]
            }
            Self::Refused(reason) => vec![(50, WithdrawalStep::Refuse(reason))],
            Self::Failed(reason) => vec![(25, WithdrawalStep::Process), (45, WithdrawalStep::Fail(reason))],
            Self::ApprovedAtSecondTry(reason) => vec![
                (25, WithdrawalStep::Process),
                (60, WithdrawalStep::Fail(reason)),
                (150, WithdrawalStep::Reopen),
                (165, WithdrawalStep::Approve),
            ],
            Self::RefusedButPaid(reason) => vec![
                (40, WithdrawalStep::Refuse(reason)),
                (95, WithdrawalStep::PaidByTheBank),
            ],
            Self::Returned(reason) => vec![
                (20, WithdrawalStep::Approve),
                (130, WithdrawalStep::Return(reason)),
            ],
        }
    }
}

/// A manual change of a balance by staff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjustment {
    Transfer(Direction, i64, &'static str),
    Hold(PlannedHold),
    /// Part of the hold with this name.
    Release(&'static str, i64, &'static str),
}

/// A hold for an analysis, or by a contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedHold {
    /// Unique within the company.
    pub name: &'static str,
    pub by_contract: bool,
    pub amount: i64,
    pub reason: &'static str,
    /// After how many days staff want to look at it again.
    pub review_after: i64,
    pub documents: &'static [&'static str],
}

/// The hold of which the seller has sent the first document.
pub const ANALYSIS: PlannedHold = PlannedHold {
    name: "analise",
    by_contract: false,
    amount: 900_00,
    reason: "Vendas fora do padrão em análise",
    review_after: 14,
    documents: &["Notas fiscais das vendas", "Contrato com o fornecedor"],
};

const EARLIER_ANALYSIS: PlannedHold = PlannedHold {
    name: "analise",
    by_contract: false,
    amount: 80_00,
    reason: "Venda de valor incomum em análise",
    review_after: 10,
    documents: &[],
};

const GUARANTEE: PlannedHold = PlannedHold {
    name: "garantia",
    by_contract: true,
    amount: 150_00,
    reason: "Garantia das maquininhas em comodato, prevista no contrato",
    review_after: 180,
    documents: &[],
};

const REFUSED: [&str; 2] = [
    "Dados bancários em conferência com a empresa",
    "Solicitação repetida, confirmada com a empresa",
];
const FAILED: [&str; 2] = [
    "Conta de destino encerrada",
    "Agência ou conta inválida no banco de destino",
];
const RETURNED: &str = "TED devolvida: conta encerrada";

/// The days on which companies withdraw: the Fridays of the story before today, oldest first. The first ten days have
/// none, so that the balances grow.
pub fn withdrawal_days(today: Date) -> Vec<Date> {
    (1..=DAYS - 10)
        .rev()
        .map(|days_ago| today - Duration::days(days_ago))
        .filter(|day| day.weekday() == Weekday::Fri)
        .collect()
}

/// Ten o'clock in the morning in Brasília.
pub fn withdrawals_begin(day: Date) -> DateTime<Utc> {
    start_of(day) + Duration::hours(10)
}

/// A company withdraws on most Fridays, usually most of its balance. Most withdrawals are approved.
pub fn planned_withdrawal(company: &Company, day: Date) -> Option<Withdrawal> {
    let key = format!("{}/{day}", company.key);
    // Another seed would give another story.
    let mut rng = DemoRng::seeded_by(&format!("payday/{key}"));
    if !rng.with_probability(80) {
        return None;
    }
    let outcome = match rng.below(100) {
        0..55 => WithdrawalOutcome::Approved,
        55..84 => WithdrawalOutcome::ApprovedAfterProcessing,
        84..90 => WithdrawalOutcome::Refused(rng.one_of::<&str>(&REFUSED)),
        90..95 => WithdrawalOutcome::Failed(rng.one_of::<&str>(&FAILED)),
        _ => WithdrawalOutcome::ApprovedAtSecondTry(rng.one_of::<&str>(&FAILED)),
    };
    Some(Withdrawal {
        key,
        share: rng.between(45, 85),
        destination: destination(&mut rng),
        requested_at: withdrawals_begin(day) + Duration::minutes(rng.below(50)),
        outcome,
    })
}

fn destination(rng: &mut DemoRng) -> DestinationKind {
    if rng.with_probability(70) {
        DestinationKind::BankAccount
    } else {
        DestinationKind::Pix
    }
}

/// The withdrawals of the last hours, in several states.
pub fn recent_withdrawals(company: &Company, until: Instant) -> Vec<Withdrawal> {
    use DestinationKind::{BankAccount, Pix};
    let last: &[(i64, DestinationKind, i64, WithdrawalOutcome)] = match company.key.as_str() {
        "padaria" => &[
            (30, BankAccount, 190, WithdrawalOutcome::Pending),
            (25, Pix, 35, WithdrawalOutcome::Pending),
        ],
        "eletronicos" => &[
            (20, BankAccount, 230, WithdrawalOutcome::Processing),
            (15, BankAccount, 95, WithdrawalOutcome::Pending),
        ],
        "farmacia" => &[
            (20, BankAccount, 280, WithdrawalOutcome::Failed(FAILED[0])),
            (40, Pix, 60, WithdrawalOutcome::Pending),
        ],
        "idiomas" => &[
            (
                35,
                BankAccount,
                310,
                WithdrawalOutcome::RefusedButPaid(REFUSED[0]),
            ),
            (15, BankAccount, 240, WithdrawalOutcome::Returned(RETURNED)),
        ],
        _ => &[
            (10, Pix, 250, WithdrawalOutcome::Refused(REFUSED[1])),
            (45, BankAccount, 120, WithdrawalOutcome::Pending),
        ],
    };
    last.iter()
        .map(|(share, destination, minutes_ago, outcome)| Withdrawal {
            key: format!("{}/{minutes_ago}", company.key),
            share: *share,
            destination: *destination,
            requested_at: until - Duration::minutes(*minutes_ago),
            outcome: *outcome,
        })
        .collect()
}

/// The adjustments of a withdrawal day. `withdrawal_days_left` counts that day too: on the last one it is 1.
pub fn adjustments(company: &Company, withdrawal_days_left: usize) -> Vec<Adjustment> {
    match (company.key.as_str(), withdrawal_days_left) {
        ("supermercado", 7) => vec![Adjustment::Transfer(
            Direction::Out,
            89_00,
            "Bobinas de papel para as maquininhas",
        )],
        ("padaria", 5) => vec![Adjustment::Transfer(
            Direction::In,
            150_00,
            "Bonificação por indicação de lojista",
        )],
        ("farmacia", 4) => vec![Adjustment::Transfer(
            Direction::Out,
            49_90,
            "Reposição da maquininha",
        )],
        ("padaria", 4) => vec![Adjustment::Hold(EARLIER_ANALYSIS)],
        ("padaria", 3) => vec![Adjustment::Release(
            EARLIER_ANALYSIS.name,
            EARLIER_ANALYSIS.amount,
            "Venda confirmada",
        )],
        ("padaria", 2) => vec![Adjustment::Hold(GUARANTEE)],
        ("eletronicos", 3) => vec![Adjustment::Hold(ANALYSIS)],
        ("eletronicos", 2) => vec![Adjustment::Release(
            ANALYSIS.name,
            400_00,
            "Parte das vendas confirmada",
        )],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::demo::Story;

    #[test]
    fn withdrawal_days_are_always_the_same_fridays() {
        let today: Date = "2026-11-21".parse().expect("a date");
        let withdrawal_days = withdrawal_days(today);
        assert!(
            (10..=12).contains(&withdrawal_days.len()),
            "{}",
            withdrawal_days.len()
        );
        assert!(
            withdrawal_days
                .iter()
                .all(|day| day.weekday() == Weekday::Fri && *day < today)
        );
        let company = &Story::read().companies[0];
        assert_eq!(
            planned_withdrawal(company, withdrawal_days[0]),
            planned_withdrawal(company, withdrawal_days[0])
        );
    }

    #[test]
    fn the_last_hours_have_withdrawals_in_six_states() {
        let story = Story::read();
        let until = start_of("2026-11-21".parse().expect("a date")) + Duration::hours(15);
        let outcomes: Vec<_> = story
            .companies
            .iter()
            .flat_map(|company| recent_withdrawals(company, until))
            .map(|withdrawal| withdrawal.outcome)
            .collect();
        let has = |which: fn(&WithdrawalOutcome) -> bool| outcomes.iter().any(which);
        assert!(has(|outcome| matches!(outcome, WithdrawalOutcome::Pending)));
        assert!(has(|outcome| matches!(outcome, WithdrawalOutcome::Processing)));
        assert!(has(|outcome| matches!(outcome, WithdrawalOutcome::Refused(_))));
        assert!(has(|outcome| matches!(outcome, WithdrawalOutcome::Failed(_))));
        assert!(has(|outcome| matches!(
            outcome,
            WithdrawalOutcome::RefusedButPaid(_)
        )));
        assert!(has(|outcome| matches!(outcome, WithdrawalOutcome::Returned(_))));
    }
}
