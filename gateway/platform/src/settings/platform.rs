//! The settings that decisions use, as of an instant. A setting without a row in force has the installation's default,
//! from the environment or from this file.

use gateway_environment::config::Config;
use ledger_domain::Cents;
use ledger_domain::business::{Approvals, ReturnedFee};
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::companies::DocumentKinds;
use crate::validity::History;

/// How long withdrawals to a changed destination are marked for staff, unless staff set another time.
const MARKED_DESTINATION_DAYS: u16 = 7;

/// How long the data of a buyer are kept, unless staff set another time: the five years for which tax authorities may
/// ask (Código Tributário Nacional, art. 173).
const BUYER_DATA_DAYS: u16 = 1_826;

/// What one member of staff may credit, or release, alone in 24 hours, unless staff set another sum. Both are money that
/// the company can withdraw.
const ALONE_UP_TO: Cents = Cents::new(1_000_00);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlatformSettings {
    /// The monthly price of a rented terminal that has no individual price.
    pub terminal_rental: Cents,
    /// Withdrawals above this amount need the approval of two admin users. `None`: no withdrawal does.
    pub two_approvals_above: Option<Cents>,
    /// Whether a second admin user must approve the change of a plan.
    pub two_person_plan_changes: bool,
    /// For how many days after a change of a company's destination its withdrawals are marked for staff.
    pub marked_destination_days: u16,
    /// For how many days after the end of an order its buyer's data are kept.
    pub buyer_data_days: u16,
    /// Whether a second admin user must approve the approval of a company.
    pub two_person_company_approvals: bool,
    /// The documents that the approval of a natural person asks for.
    pub documents_of_pf: DocumentKinds,
    /// The documents that the approval of a legal entity asks for.
    pub documents_of_pj: DocumentKinds,
    /// What one person may credit by hand in 24 hours, and what one company may get so. More needs a second person.
    /// `None`: any sum. The same holds for those below.
    pub credits_alone_up_to: Option<Cents>,
    pub removals_alone_up_to: Option<Cents>,
    pub releases_alone_up_to: Option<Cents>,
    /// By how much less the platform may earn in a month, because one person gave companies other plans.
    pub plan_exceptions_alone_up_to: Option<Cents>,
    /// What becomes of a withdrawal's fee if the bank returns the withdrawal.
    pub returned_withdrawal_fee: ReturnedFee,
}

ledger_domain::words! {
    /// terminal_rental: monthly price of a rented terminal without an individual price, in cents. two_approvals_above:
    /// withdrawals above this amount in cents need two admin users; null: none does. two_person_plan_changes: whether a
    /// second admin user must approve the change of a plan. marked_destination_days: for how many days after a change
    /// of a company's bank account its withdrawals are marked for staff, and after a user got access or another role
    /// those that the user requests. buyer_data_days: for how many days after the
    /// end of an order its buyer's data are kept. two_person_company_approvals: whether a second admin user must confirm
    /// the approval of a company. documents_of_pf, documents_of_pj: the documents without which only owners and admins
    /// approve a natural person or a company. credits_alone_up_to, removals_alone_up_to, releases_alone_up_to: what one
    /// admin user may credit, remove or release in 24 hours, and what one company may get so, in cents; more is a request
    /// that a second admin user approves; null: any sum. plan_exceptions_alone_up_to: the same for plans of companies, by
    /// what the platform would have earned less last month. returned_withdrawal_fee: whether the fee of a withdrawal that
    /// a bank returns goes back to the company.
    // A word is the name in rows, in the API and in the audit log; a label that of the rule in the panel.
    pub enum SettingKey else "Escolha uma configuração da lista." {
        TerminalRental = "terminal_rental" => "Aluguel da maquininha",
        TwoApprovalsAbove = "two_approvals_above" => "Saques com duas aprovações",
        TwoPersonPlanChanges = "two_person_plan_changes" => "Mudanças de planos com duas aprovações",
        MarkedDestinationDays = "marked_destination_days" => "Destaque de saques para um novo destino",
        BuyerDataDays = "buyer_data_days" => "Dados dos compradores",
        TwoPersonCompanyApprovals = "two_person_company_approvals" => "Aprovação de empresas com duas pessoas",
        DocumentsOfPf = "documents_of_pf" => "Documentos de pessoas físicas",
        DocumentsOfPj = "documents_of_pj" => "Documentos de pessoas jurídicas",
        CreditsAloneUpTo = "credits_alone_up_to" => "Créditos manuais de uma só pessoa",
        RemovalsAloneUpTo = "removals_alone_up_to" => "Débitos manuais de uma só pessoa",
        ReleasesAloneUpTo = "releases_alone_up_to" => "Liberações de uma só pessoa",
        PlanExceptionsAloneUpTo = "plan_exceptions_alone_up_to" => "Exceções de planos de uma só pessoa",
        ReturnedWithdrawalFee = "returned_withdrawal_fee" => "Tarifa de saques devolvidos",
    }
}

impl SettingKey {
    /// Whether the setting is an amount above which a second person must decide. Null: none must.
    pub const fn is_limit(self) -> bool {
        match self {
            Self::TwoApprovalsAbove
            | Self::CreditsAloneUpTo
            | Self::RemovalsAloneUpTo
            | Self::ReleasesAloneUpTo
            | Self::PlanExceptionsAloneUpTo => true,
            Self::TerminalRental
            | Self::TwoPersonPlanChanges
            | Self::MarkedDestinationDays
            | Self::BuyerDataDays
            | Self::TwoPersonCompanyApprovals
            | Self::DocumentsOfPf
            | Self::DocumentsOfPj
            | Self::ReturnedWithdrawalFee => false,
        }
    }

    /// Whether fewer decisions need a second person after the change. The values are those of
    /// `PlatformSettings::value`.
    pub const fn loosens(self, before: Option<i64>, after: Option<i64>) -> bool {
        match (self, before, after) {
            (Self::TwoPersonPlanChanges | Self::TwoPersonCompanyApprovals, Some(before), Some(after)) => {
                after < before
            }
            (limit, Some(_), None) if limit.is_limit() => true,
            (limit, Some(before), Some(after)) if limit.is_limit() => after > before,
            (
                Self::TwoApprovalsAbove
                | Self::CreditsAloneUpTo
                | Self::RemovalsAloneUpTo
                | Self::ReleasesAloneUpTo
                | Self::PlanExceptionsAloneUpTo
                | Self::TwoPersonPlanChanges
                | Self::TwoPersonCompanyApprovals,
                ..,
            )
            | (Self::TerminalRental | Self::MarkedDestinationDays | Self::BuyerDataDays, ..)
            // Without a document, an approval does not need fewer people.
            | (Self::DocumentsOfPf | Self::DocumentsOfPj | Self::ReturnedWithdrawalFee, ..) => false,
        }
    }
}

impl PlatformSettings {
    /// The installation's defaults.
    pub const fn defaults(config: &Config) -> Self {
        Self {
            terminal_rental: config.terminal_rental,
            two_approvals_above: match config.withdrawals.approvals {
                Approvals::One => None,
                Approvals::Two => Some(Cents::ZERO),
            },
            two_person_plan_changes: false,
            marked_destination_days: MARKED_DESTINATION_DAYS,
            buyer_data_days: BUYER_DATA_DAYS,
            two_person_company_approvals: false,
            documents_of_pf: DocumentKinds::all(true),
            documents_of_pj: DocumentKinds::all(false),
            credits_alone_up_to: Some(ALONE_UP_TO),
            removals_alone_up_to: None,
            releases_alone_up_to: Some(ALONE_UP_TO),
            plan_exceptions_alone_up_to: None,
            returned_withdrawal_fee: RETURNED_FEE,
        }
    }

    /// The documents that the approval of a company asks for.
    pub const fn documents_asked(&self, of_person: bool) -> DocumentKinds {
        if of_person {
            self.documents_of_pf
        } else {
            self.documents_of_pj
        }
    }

    /// The number of admin users who must approve a withdrawal of this amount.
    pub fn approvals(&self, amount: Cents) -> Approvals {
        match self.two_approvals_above {
            Some(limit) if amount > limit => Approvals::Two,
            Some(_) | None => Approvals::One,
        }
    }

    /// The setting as it is stored: cents, days, 1 for yes and 0 for no, or the sum of a set of documents.
    pub fn value(&self, key: SettingKey) -> Option<i64> {
        match key {
            SettingKey::TerminalRental => Some(self.terminal_rental.get()),
            SettingKey::TwoApprovalsAbove => self.two_approvals_above.map(Cents::get),
            SettingKey::TwoPersonPlanChanges => Some(self.two_person_plan_changes.into()),
            SettingKey::MarkedDestinationDays => Some(self.marked_destination_days.into()),
            SettingKey::BuyerDataDays => Some(self.buyer_data_days.into()),
            SettingKey::TwoPersonCompanyApprovals => Some(self.two_person_company_approvals.into()),
            SettingKey::DocumentsOfPf => Some(self.documents_of_pf.stored()),
            SettingKey::DocumentsOfPj => Some(self.documents_of_pj.stored()),
            SettingKey::CreditsAloneUpTo => self.credits_alone_up_to.map(Cents::get),
            SettingKey::RemovalsAloneUpTo => self.removals_alone_up_to.map(Cents::get),
            SettingKey::ReleasesAloneUpTo => self.releases_alone_up_to.map(Cents::get),
            SettingKey::PlanExceptionsAloneUpTo => self.plan_exceptions_alone_up_to.map(Cents::get),
            SettingKey::ReturnedWithdrawalFee => {
                Some(i64::from(self.returned_withdrawal_fee == ReturnedFee::GivenBack))
            }
        }
    }

    /// The table's constraints admit only values that the setting can have.
    fn set(&mut self, key: SettingKey, value: Option<i64>) {
        match (key, value) {
            (SettingKey::TerminalRental, Some(cents)) => self.terminal_rental = Cents::new(cents),
            (SettingKey::TwoApprovalsAbove, limit) => self.two_approvals_above = limit.map(Cents::new),
            (SettingKey::CreditsAloneUpTo, limit) => self.credits_alone_up_to = limit.map(Cents::new),
            (SettingKey::RemovalsAloneUpTo, limit) => self.removals_alone_up_to = limit.map(Cents::new),
            (SettingKey::ReleasesAloneUpTo, limit) => self.releases_alone_up_to = limit.map(Cents::new),
            (SettingKey::PlanExceptionsAloneUpTo, limit) => {
                self.plan_exceptions_alone_up_to = limit.map(Cents::new);
            }
            (SettingKey::TwoPersonPlanChanges, Some(flag)) => self.two_person_plan_changes = flag != 0,
            (SettingKey::MarkedDestinationDays, Some(days)) => {
                self.marked_destination_days = u16::try_from(days).unwrap_or(u16::MAX);
            }
            (SettingKey::BuyerDataDays, Some(days)) => {
                self.buyer_data_days = u16::try_from(days).unwrap_or(u16::MAX);
            }
            (SettingKey::TwoPersonCompanyApprovals, Some(flag)) => {
                self.two_person_company_approvals = flag != 0;
            }
            (SettingKey::ReturnedWithdrawalFee, Some(flag)) => {
                self.returned_withdrawal_fee = returned_fee(flag);
            }
            (SettingKey::DocumentsOfPf, Some(sum)) => self.documents_of_pf = DocumentKinds::from_stored(sum),
            (SettingKey::DocumentsOfPj, Some(sum)) => self.documents_of_pj = DocumentKinds::from_stored(sum),
            (
                SettingKey::TerminalRental
                | SettingKey::TwoPersonPlanChanges
                | SettingKey::MarkedDestinationDays
                | SettingKey::BuyerDataDays
                | SettingKey::TwoPersonCompanyApprovals
                | SettingKey::DocumentsOfPf
                | SettingKey::DocumentsOfPj
                | SettingKey::ReturnedWithdrawalFee,
                None,
            ) => {}
        }
    }
}

/// The settings in force at the instant.
pub async fn platform_settings_at(
    client: &impl GenericClient,
    defaults: PlatformSettings,
    at: Instant,
) -> Result<PlatformSettings, Error> {
    let rows = client
        .query_typed(
            "SELECT DISTINCT ON (key) key, value FROM platform_setting
              WHERE valid_from <= $1 AND withdrawn_at IS NULL
              ORDER BY key, valid_from DESC",
            &[(&at, Type::TIMESTAMPTZ)],
        )
        .await?;
    let mut settings = defaults;
    for row in &rows {
        // A later version of the program may know more settings.
        if let Ok(key) = SettingKey::parse(row.get(0)) {
            settings.set(key, row.get(1));
        }
    }
    Ok(settings)
}

/// Until staff set another value.
const RETURNED_FEE: ReturnedFee = ReturnedFee::Kept;

const fn returned_fee(flag: i64) -> ReturnedFee {
    match flag {
        0 => ReturnedFee::Kept,
        _ => ReturnedFee::GivenBack,
    }
}

/// What becomes of the fee of a withdrawal that a bank returns at the instant.
pub async fn returned_withdrawal_fee_at(
    client: &impl GenericClient,
    at: Instant,
) -> Result<ReturnedFee, Error> {
    let row = client
        .query_typed_opt(
            "SELECT value FROM platform_setting WHERE key = $1 AND valid_from <= $2 AND withdrawn_at IS NULL
              ORDER BY valid_from DESC LIMIT 1",
            &[
                (&SettingKey::ReturnedWithdrawalFee.as_str(), Type::TEXT),
                (&at, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    let flag: Option<i64> = row.map(|row| row.try_get(0)).transpose()?.flatten();
    Ok(flag.map_or(RETURNED_FEE, returned_fee))
}

/// The usual monthly prices of rented terminals until the instant. The installation's default is the first one.
pub async fn rental_prices(
    client: &impl GenericClient,
    defaults: PlatformSettings,
    until: Instant,
) -> Result<History<Cents>, Error> {
    let rows = client
        .query_typed(
            "SELECT valid_from, value FROM platform_setting
              WHERE key = $1 AND valid_from <= $2 AND withdrawn_at IS NULL AND value IS NOT NULL",
            &[
                (&SettingKey::TerminalRental.as_str(), Type::TEXT),
                (&until, Type::TIMESTAMPTZ),
            ],
        )
        .await?;
    let mut prices = History::default();
    prices.add(Instant::MIN_UTC, defaults.terminal_rental);
    for row in &rows {
        prices.add(row.try_get(0)?, Cents::new(row.try_get(1)?));
    }
    Ok(prices)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::companies::DocumentKind;

    const DEFAULTS: PlatformSettings = PlatformSettings {
        terminal_rental: Cents::new(49_90),
        two_approvals_above: None,
        two_person_plan_changes: false,
        marked_destination_days: 7,
        buyer_data_days: 1_826,
        two_person_company_approvals: false,
        documents_of_pf: DocumentKinds::all(true),
        documents_of_pj: DocumentKinds::all(false),
        credits_alone_up_to: Some(Cents::new(1_000_00)),
        removals_alone_up_to: None,
        releases_alone_up_to: Some(Cents::new(1_000_00)),
        plan_exceptions_alone_up_to: None,
        returned_withdrawal_fee: ReturnedFee::Kept,
    };

    #[test]
    fn a_second_approval_is_needed_above_the_amount_and_not_at_it() {
        let limited = |limit| PlatformSettings {
            two_approvals_above: limit,
            ..DEFAULTS
        };
        let amount = Cents::new(1_000_00);
        assert_eq!(limited(None).approvals(amount), Approvals::One);
        assert_eq!(limited(Some(amount)).approvals(amount), Approvals::One);
        assert_eq!(
            limited(Some(Cents::new(999_99))).approvals(amount),
            Approvals::Two
        );
        assert_eq!(
            limited(Some(Cents::ZERO)).approvals(Cents::new(1)),
            Approvals::Two
        );
    }

    #[test]
    fn a_rule_is_loosened_when_fewer_decisions_need_two_people() {
        use SettingKey::{
            CreditsAloneUpTo, DocumentsOfPj, MarkedDestinationDays, RemovalsAloneUpTo, TwoApprovalsAbove,
            TwoPersonCompanyApprovals, TwoPersonPlanChanges,
        };
        for (key, before, after, loosens) in [
            (TwoPersonPlanChanges, Some(1), Some(0), true),
            (TwoPersonPlanChanges, Some(0), Some(1), false),
            (TwoApprovalsAbove, Some(100), Some(101), true),
            (TwoApprovalsAbove, Some(100), Some(99), false),
            (TwoApprovalsAbove, Some(0), None, true),
            (TwoApprovalsAbove, None, Some(0), false),
            (TwoApprovalsAbove, None, None, false),
            (TwoPersonCompanyApprovals, Some(1), Some(0), true),
            (TwoPersonCompanyApprovals, Some(0), Some(1), false),
            (DocumentsOfPj, Some(7), Some(0), false),
            (CreditsAloneUpTo, Some(1_000_00), Some(1_000_01), true),
            (CreditsAloneUpTo, Some(1_000_00), None, true),
            (RemovalsAloneUpTo, None, Some(1), false),
            (MarkedDestinationDays, Some(7), Some(0), false),
        ] {
            assert_eq!(
                key.loosens(before, after),
                loosens,
                "{key:?} {before:?} {after:?}"
            );
        }
    }

    #[test]
    fn every_setting_is_read_as_it_was_stored() {
        let given = PlatformSettings {
            terminal_rental: Cents::new(59_90),
            two_approvals_above: Some(Cents::new(1)),
            two_person_plan_changes: true,
            marked_destination_days: 30,
            buyer_data_days: 365,
            two_person_company_approvals: true,
            documents_of_pf: DocumentKinds::of(&[DocumentKind::Identity]),
            documents_of_pj: DocumentKinds::default(),
            credits_alone_up_to: None,
            removals_alone_up_to: Some(Cents::new(2)),
            releases_alone_up_to: Some(Cents::new(3)),
            plan_exceptions_alone_up_to: Some(Cents::new(4)),
            returned_withdrawal_fee: ReturnedFee::GivenBack,
        };
        let mut read = DEFAULTS;
        for key in SettingKey::ALL {
            read.set(*key, given.value(*key));
        }
        assert_eq!(read, given);
        read.set(SettingKey::TwoApprovalsAbove, None);
        assert_eq!(read.two_approvals_above, None);
    }
}
