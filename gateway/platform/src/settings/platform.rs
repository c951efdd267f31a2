//! The settings that decisions use, as of an instant. A setting without a row in force has the installation's default,
//! from the environment or from this file.

use gateway_environment::config::Config;
use ledger_domain::Cents;
use ledger_domain::business::Approvals;
use ledger_domain::calendar::Instant;
use tokio_postgres::types::Type;
use tokio_postgres::{Error, GenericClient};

use crate::validity::History;

/// How long withdrawals to a changed destination are marked for staff, unless staff set another time.
const MARKED_DESTINATION_DAYS: u16 = 7;

/// How long the data of a buyer are kept, unless staff set another time: the five years for which tax authorities may
/// ask (Código Tributário Nacional, art. 173).
const BUYER_DATA_DAYS: u16 = 1_826;

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
}

/// A setting, by its name in rows, in the API and in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingKey {
    TerminalRental,
    TwoApprovalsAbove,
    TwoPersonPlanChanges,
    MarkedDestinationDays,
    BuyerDataDays,
}

impl SettingKey {
    pub const ALL: [Self; 5] = [
        Self::TerminalRental,
        Self::TwoApprovalsAbove,
        Self::TwoPersonPlanChanges,
        Self::MarkedDestinationDays,
        Self::BuyerDataDays,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TerminalRental => "terminal_rental",
            Self::TwoApprovalsAbove => "two_approvals_above",
            Self::TwoPersonPlanChanges => "two_person_plan_changes",
            Self::MarkedDestinationDays => "marked_destination_days",
            Self::BuyerDataDays => "buyer_data_days",
        }
    }

    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|key| key.as_str() == text)
    }

    /// Whether fewer decisions need a second person after the change. The values are those of
    /// `PlatformSettings::value`.
    pub const fn loosens(self, before: Option<i64>, after: Option<i64>) -> bool {
        match (self, before, after) {
            (Self::TwoPersonPlanChanges, Some(before), Some(after)) => after < before,
            (Self::TwoApprovalsAbove, Some(_), None) => true,
            (Self::TwoApprovalsAbove, Some(before), Some(after)) => after > before,
            (Self::TwoApprovalsAbove | Self::TwoPersonPlanChanges, ..)
            | (Self::TerminalRental | Self::MarkedDestinationDays | Self::BuyerDataDays, ..) => false,
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
        }
    }

    /// The number of admin users who must approve a withdrawal of this amount.
    pub fn approvals(&self, amount: Cents) -> Approvals {
        match self.two_approvals_above {
            Some(limit) if amount > limit => Approvals::Two,
            Some(_) | None => Approvals::One,
        }
    }

    /// The setting as it is stored: cents, days, or 1 for yes and 0 for no.
    pub fn value(&self, key: SettingKey) -> Option<i64> {
        match key {
            SettingKey::TerminalRental => Some(self.terminal_rental.get()),
            SettingKey::TwoApprovalsAbove => self.two_approvals_above.map(Cents::get),
            SettingKey::TwoPersonPlanChanges => Some(self.two_person_plan_changes.into()),
            SettingKey::MarkedDestinationDays => Some(self.marked_destination_days.into()),
            SettingKey::BuyerDataDays => Some(self.buyer_data_days.into()),
        }
    }

    /// The table's constraints admit only values that the setting can have.
    fn set(&mut self, key: SettingKey, value: Option<i64>) {
        match (key, value) {
            (SettingKey::TerminalRental, Some(cents)) => self.terminal_rental = Cents::new(cents),
            (SettingKey::TwoApprovalsAbove, limit) => self.two_approvals_above = limit.map(Cents::new),
            (SettingKey::TwoPersonPlanChanges, Some(flag)) => self.two_person_plan_changes = flag != 0,
            (SettingKey::MarkedDestinationDays, Some(days)) => {
                self.marked_destination_days = u16::try_from(days).unwrap_or(u16::MAX);
            }
            (SettingKey::BuyerDataDays, Some(days)) => {
                self.buyer_data_days = u16::try_from(days).unwrap_or(u16::MAX);
            }
            (
                SettingKey::TerminalRental
                | SettingKey::TwoPersonPlanChanges
                | SettingKey::MarkedDestinationDays
                | SettingKey::BuyerDataDays,
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
        if let Some(key) = SettingKey::parse(row.get(0)) {
            settings.set(key, row.get(1));
        }
    }
    Ok(settings)
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

    const DEFAULTS: PlatformSettings = PlatformSettings {
        terminal_rental: Cents::new(49_90),
        two_approvals_above: None,
        two_person_plan_changes: false,
        marked_destination_days: 7,
        buyer_data_days: 1_826,
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
        use SettingKey::{MarkedDestinationDays, TwoApprovalsAbove, TwoPersonPlanChanges};
        for (key, before, after, loosens) in [
            (TwoPersonPlanChanges, Some(1), Some(0), true),
            (TwoPersonPlanChanges, Some(0), Some(1), false),
            (TwoApprovalsAbove, Some(100), Some(101), true),
            (TwoApprovalsAbove, Some(100), Some(99), false),
            (TwoApprovalsAbove, Some(0), None, true),
            (TwoApprovalsAbove, None, Some(0), false),
            (TwoApprovalsAbove, None, None, false),
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
        };
        let mut read = DEFAULTS;
        for key in SettingKey::ALL {
            assert_eq!(SettingKey::parse(key.as_str()), Some(key));
            read.set(key, given.value(key));
        }
        assert_eq!(read, given);
        read.set(SettingKey::TwoApprovalsAbove, None);
        assert_eq!(read.two_approvals_above, None);
        assert_eq!(SettingKey::parse("theme"), None);
    }
}
