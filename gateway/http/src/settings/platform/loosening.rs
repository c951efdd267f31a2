//! The e-mail about a change by which fewer decisions need two people: one owner makes it alone, and the others can
//! object before it starts.

use gateway_identity::audience::Audience;
use gateway_identity::email_queue::{EmailKind, Facts, RuleChange};
use gateway_identity::notify::{Cause, Emails};
use gateway_identity::users::{StaffCaller, deciding_staff, user_names};
use gateway_platform::adjustments::alone::PERIOD_HOURS;
use gateway_platform::settings::SettingKey;
use gateway_platform::settings::change::{NewValue, SettingChange};
use ledger_domain::Cents;

use crate::problem::Result;
use crate::shared::change::Work;

/// E-mails all active owners and admins, also the one who made the change, whose account may be in other hands.
pub(super) async fn email_deciding_staff(
    work: &mut Work<StaffCaller>,
    panel_url: &str,
    new: &NewValue,
    change: &SettingChange,
) -> Result<()> {
    let by = work.caller.id;
    let names = user_names(&**work, Audience::Admin, &[by]).await?;
    let recipients = deciding_staff(&**work, None).await?;
    let rule = RuleChange {
        rule: new.key.label().to_owned(),
        before: text(new.key, change.in_force),
        after: text(new.key, new.value),
        starts: change.starts,
        by: names.get(&by).cloned(),
        at: change.at,
    };
    let cause = Cause {
        audience: Audience::Admin,
        panel_url,
        user: by,
    };
    let facts = Facts {
        rule: Some(rule),
        ..Facts::default()
    };
    let emails = Emails::to_users(cause, EmailKind::RuleLoosened, &facts, &recipients);
    work.send(emails).await
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
