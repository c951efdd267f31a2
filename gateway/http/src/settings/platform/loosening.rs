//! Changes by which fewer decisions need two people. One owner makes them alone. So they start on the next business day
//! at the earliest, and all active owners and admins get an e-mail: the others can object in time.

use chrono::{DateTime, Utc};
use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts, RuleChange};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::users::{StaffCaller, deciding_staff, user_names};
use gateway_platform::adjustments::alone::PERIOD_HOURS;
use gateway_platform::holidays::next_business_day;
use gateway_platform::settings::SettingKey;
use ledger_domain::Cents;
use ledger_domain::calendar::{business_date, start_of};
use ledger_domain::ids::UserId;
use tokio_postgres::GenericClient;

use crate::problem::{Problem, Result};
use crate::shared::change::Work;

/// A change after which a rule asks for a second person less often.
pub struct LoosenedRule {
    pub key: SettingKey,
    pub before: Option<i64>,
    pub after: Option<i64>,
    pub starts: DateTime<Utc>,
    pub by: UserId,
    pub at: DateTime<Utc>,
}

/// The beginning of the next business day, in Brasília. If the form gives an earlier start, this is a 422.
pub(crate) async fn earliest_start(
    client: &impl GenericClient,
    now: DateTime<Utc>,
    given: Option<DateTime<Utc>>,
) -> Result<DateTime<Utc>> {
    let day = next_business_day(client, business_date(now)).await?;
    let earliest = start_of(day);
    if given.is_some_and(|given| given < earliest) {
        let message = format!(
            "Para exigir menos aprovações, a data deve ser a partir de {}, o próximo dia útil.",
            day.format("%d/%m/%Y")
        );
        return Err(Problem::field("valid_from", &message));
    }
    Ok(earliest)
}

impl LoosenedRule {
    /// E-mails all active owners and admins, also the one who made the change, whose account may be in other hands.
    pub(crate) async fn email_deciding_staff(
        self,
        work: &mut Work<StaffCaller>,
        panel_url: &str,
    ) -> Result<()> {
        let names = user_names(&**work, Audience::Admin, &[self.by]).await?;
        let recipients = deciding_staff(&**work, None).await?;
        let rule = RuleChange {
            rule: self.key.label().to_owned(),
            before: text(self.key, self.before),
            after: text(self.key, self.after),
            starts: self.starts,
            by: names.get(&self.by).cloned(),
            at: self.at,
        };
        let cause = Cause {
            audience: Audience::Admin,
            panel_url,
            user: self.by,
        };
        let facts = Facts {
            rule: Some(rule),
            ..Facts::default()
        };
        let emails = Emails::to_users(cause, EmailKind::RuleLoosened, &facts, &recipients);
        work.send(emails).await
    }
}

/// The value as the e-mail shows it.
fn text(key: SettingKey, value: Option<i64>) -> String {
    match (key, value) {
        (SettingKey::TwoApprovalsAbove, None) => "nenhum saque".to_owned(),
        (SettingKey::TwoApprovalsAbove, Some(0)) => "todos os saques".to_owned(),
        (SettingKey::TwoApprovalsAbove, Some(cents)) => format!("acima de {}", Cents::new(cents)),
        (
            SettingKey::CreditsAloneUpTo
            | SettingKey::RemovalsAloneUpTo
            | SettingKey::ReleasesAloneUpTo
            | SettingKey::PlanExceptionsAloneUpTo,
            limit,
        ) => match limit {
            None => "qualquer valor".to_owned(),
            Some(cents) => format!("até {} em {PERIOD_HOURS} horas", Cents::new(cents)),
        },
        (
            SettingKey::TwoPersonPlanChanges
            | SettingKey::TwoPersonCompanyApprovals
            | SettingKey::ReturnedWithdrawalFee,
            flag,
        ) => match flag {
            Some(0) | None => "não".to_owned(),
            Some(_) => "sim".to_owned(),
        },
        (
            SettingKey::TerminalRental
            | SettingKey::MarkedDestinationDays
            | SettingKey::BuyerDataDays
            | SettingKey::DocumentsOfPf
            | SettingKey::DocumentsOfPj,
            value,
        ) => value.map_or_else(String::new, |value| value.to_string()),
    }
}
