//! Changes of a company by staff and by its own users, in the caller's transaction: its fields, with the rules over
//! several of them, and the entry of the audit log.

use chrono::{DateTime, Datelike, Months, NaiveDate, Utc};
use gateway_environment::clock::BusinessClock;
use gateway_environment::ids::Ids;
use ledger_domain::BusinessId;
use ledger_rows::{params, value};
use serde_json::{Value, json};
use tokio_postgres::{Error, GenericClient};
use uuid::Uuid;

use super::records::{
    BusinessType, CompanyFields, CompanyProfile, CompanyRecord, company_locked, company_update,
};
use super::refusal::{CompanyRefusal, Result};
use crate::audit::{Actor, Change, changed, fields_changed_since, record};
use crate::form_errors::FormErrors;
use crate::settings::{PlatformSettings, platform_settings_at};

/// Companies in the audit log.
pub const COMPANY: &str = "business";

/// Earlier dates of birth are typing errors.
const BIRTH_YEAR_MIN: i32 = 1900;
const ADULT: Months = Months::new(18 * 12);
/// The longest name on a card statement that acquirers take.
pub const STATEMENT_DESCRIPTOR_CHARACTERS_MAX: usize = 22;

/// The user who changes a company, and what a change needs of the program.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    pub actor: Actor,
    pub clock: BusinessClock,
    pub ids: &'a Ids,
    /// The settings of an installation whose staff have set none.
    pub default_settings: PlatformSettings,
}

impl Editor<'_> {
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    pub(super) async fn settings(&self, client: &impl GenericClient) -> Result<PlatformSettings, Error> {
        platform_settings_at(client, self.default_settings, self.now()).await
    }

    /// Writes an entry of the company's audit log.
    pub(super) async fn record(
        &self,
        client: &impl GenericClient,
        company: BusinessId,
        action: &str,
        before: Option<Value>,
        after: Option<Value>,
    ) -> Result<(), Error> {
        let change = Change {
            action,
            subject: COMPANY,
            subject_id: &company.to_string(),
            before,
            after,
        };
        record(client, self.actor, change).await
    }
}

/// A change of a company's fields. `None` leaves a field as it is, and `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompanyChange {
    pub name: Option<String>,
    pub statement_descriptor: Option<Option<String>>,
    pub receiving_plan_id: Option<Uuid>,
    pub profile: ProfileChange,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProfileChange {
    pub trade_name: Option<Option<String>>,
    pub email: Option<Option<String>>,
    pub phone: Option<Option<String>>,
    pub mcc: Option<Option<String>>,
    pub representative_name: Option<Option<String>>,
    pub representative_document: Option<Option<String>>,
    pub birth_date: Option<Option<NaiveDate>>,
}

impl CompanyChange {
    fn applied_to(self, before: CompanyFields) -> CompanyFields {
        CompanyFields {
            name: self.name.unwrap_or(before.name),
            statement_descriptor: self.statement_descriptor.unwrap_or(before.statement_descriptor),
            receiving_plan_id: self.receiving_plan_id.unwrap_or(before.receiving_plan_id),
            profile: self.profile.applied_to(before.profile),
        }
    }
}

impl ProfileChange {
    pub fn applied_to(self, before: CompanyProfile) -> CompanyProfile {
        CompanyProfile {
            trade_name: self.trade_name.unwrap_or(before.trade_name),
            email: self.email.unwrap_or(before.email),
            phone: self.phone.unwrap_or(before.phone),
            mcc: self.mcc.unwrap_or(before.mcc),
            representative_name: self.representative_name.unwrap_or(before.representative_name),
            representative_document: self
                .representative_document
                .unwrap_or(before.representative_document),
            birth_date: self.birth_date.unwrap_or(before.birth_date),
        }
    }
}

impl CompanyProfile {
    /// The fields that a company of this type cannot have so, each with its error.
    pub fn faults(&self, business_type: BusinessType, today: NaiveDate) -> Vec<(&'static str, &'static str)> {
        const NO_REPRESENTATIVE: &str = "Só empresa com CNPJ tem representante legal.";
        let mut faults = vec![];
        if business_type.is_person() {
            if self.representative_name.is_some() {
                faults.push(("representative_name", NO_REPRESENTATIVE));
            }
            if self.representative_document.is_some() {
                faults.push(("representative_document", NO_REPRESENTATIVE));
            }
        }
        let birth_fault = self.birth_date.and_then(|date| birth_fault(date, today));
        faults.extend(birth_fault.map(|fault| ("birth_date", fault)));
        if !business_type.is_person() && self.birth_date.is_some() {
            faults.push(("birth_date", "Só pessoa física tem data de nascimento."));
        }
        faults
    }
}

/// A person who sells is an adult.
fn birth_fault(date: NaiveDate, today: NaiveDate) -> Option<&'static str> {
    if date.year() < BIRTH_YEAR_MIN {
        return Some("Confira o ano de nascimento.");
    }
    let of_age = date.checked_add_months(ADULT);
    of_age
        .is_none_or(|of_age| of_age > today)
        .then_some("A pessoa deve ter 18 anos ou mais.")
}

/// A company's name on card statements. The error is shown to the user.
pub fn statement_descriptor(text: &str) -> Result<String, &'static str> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == ' ';
    let valid = text.chars().count() <= STATEMENT_DESCRIPTOR_CHARACTERS_MAX
        && text.chars().all(allowed)
        && text.chars().any(|c| c.is_ascii_alphabetic());
    if valid {
        Ok(text.to_owned())
    } else {
        Err("Use até 22 letras sem acento, números e espaços, com pelo menos uma letra.")
    }
}

/// The company, locked until the transaction ends.
pub async fn lock(client: &impl GenericClient, company: BusinessId) -> Result<CompanyRecord> {
    let locked = company_locked(client, company).await?;
    Ok(locked.ok_or(CompanyRefusal::NotFound)?)
}

/// Locks the company for an edit that started from a version. An edit that names none may have started from any.
pub async fn lock_version(
    client: &impl GenericClient,
    company: BusinessId,
    seen: Option<i32>,
) -> Result<CompanyRecord> {
    let locked = lock(client, company).await?;
    match seen {
        Some(seen) => check_version(client, &locked, seen).await.map(|()| locked),
        None => Ok(locked),
    }
}

async fn check_version(client: &impl GenericClient, locked: &CompanyRecord, seen: i32) -> Result<()> {
    if seen == locked.version {
        return Ok(());
    }
    let changed = fields_changed_since(client, COMPANY, &locked.id.to_string(), seen).await?;
    Err(CompanyRefusal::ChangedMeanwhile(changed).into())
}

/// Changes the given fields of a company that the caller has locked. The audit log gets the fields that differ.
pub async fn update(
    client: &impl GenericClient,
    editor: Editor<'_>,
    locked: &CompanyRecord,
    seen: i32,
    change: CompanyChange,
) -> Result<()> {
    let before = locked.fields();
    let after = change.applied_to(before.clone());
    let mut errors = FormErrors::default();
    for (field, fault) in after.profile.faults(locked.business_type, editor.clock.today()) {
        errors.add(field, fault);
    }
    errors.finish()?;
    check_version(client, locked, seen).await?;
    let plan = after.receiving_plan_id;
    if plan != before.receiving_plan_id && !receiving_plan_active(client, plan).await? {
        return Err(CompanyRefusal::ReceivingPlanInactive.into());
    }
    if before == after {
        return Ok(());
    }
    let version = company_update(client, locked.id, &after).await?;
    let (before, after) = (before.as_map(), after.as_map());
    let mut new = changed(&after, &before);
    new["version"] = json!(version);
    let old = changed(&before, &after);
    Ok(editor
        .record(client, locked.id, "update", Some(old), Some(new))
        .await?)
}

/// Whether a receiving plan exists and companies may get it. The lock keeps it active until the commit.
pub(super) async fn receiving_plan_active(client: &impl GenericClient, plan: Uuid) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT FROM receiving_plan WHERE id = $1 AND active FOR SHARE)";
    value(client, sql, params![plan]).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().expect("a date")
    }

    fn born(day: &str) -> CompanyProfile {
        CompanyProfile {
            birth_date: Some(date(day)),
            ..CompanyProfile::default()
        }
    }

    #[test]
    fn a_person_has_no_legal_representative() {
        let profile = CompanyProfile {
            representative_document: Some("52998224725".to_owned()),
            ..CompanyProfile::default()
        };
        let fields = |business_type| -> Vec<_> {
            let faults = profile.faults(business_type, date("2026-11-25"));
            faults.into_iter().map(|(field, _)| field).collect()
        };
        assert_eq!(fields(BusinessType::Pf), ["representative_document"]);
        assert!(fields(BusinessType::Pj).is_empty());
    }

    #[test]
    fn a_birth_date_is_of_an_adult_born_since_1900_and_of_a_person() {
        let faults = |day: &str| born(day).faults(BusinessType::Pf, date("2026-11-25"));
        assert_eq!(faults("2008-11-25"), []);
        let of = |fault| vec![("birth_date", fault)];
        assert_eq!(faults("2008-11-26"), of("A pessoa deve ter 18 anos ou mais."));
        assert_eq!(faults("1899-12-31"), of("Confira o ano de nascimento."));
        let of_company = born("1990-05-20").faults(BusinessType::Pj, date("2026-11-25"));
        assert_eq!(of_company, of("Só pessoa física tem data de nascimento."));
    }

    #[test]
    fn a_statement_descriptor_fits_a_card_statement() {
        for valid in ["PADARIA SOUZA", "LOJA 24", &"a".repeat(22)] {
            assert!(statement_descriptor(valid).is_ok(), "{valid}");
        }
        // An accent, no letter, 23 characters, a hyphen.
        for invalid in ["AÇOUGUE", "24", &"a".repeat(23), "A-B"] {
            assert!(statement_descriptor(invalid).is_err(), "{invalid}");
        }
    }

    #[test]
    fn a_change_leaves_and_clears_fields() {
        let before = CompanyProfile {
            mcc: Some("5462".to_owned()),
            phone: Some("1133334444".to_owned()),
            ..CompanyProfile::default()
        };
        let change = ProfileChange {
            phone: Some(None),
            ..ProfileChange::default()
        };
        let after = change.applied_to(before.clone());
        assert_eq!((after.mcc, after.phone), (before.mcc, None));
    }
}
