//! The story's reference data and users, written by the functions behind the staff's screens.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Duration, Utc};
use gateway_environment::time_zone::TimeZone;
use gateway_identity::audience::Audience;
use gateway_identity::audit::Actor;
use gateway_identity::credentials::account::set_email_verified;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_identity::users::{NewAdmin, NewSeller, UserError, access_upsert, admin_insert, seller_insert};
use gateway_platform::companies::{
    Approval, CompanyProfile, NewBankAccount, NewBusiness, NewReceivingPlan, bank_account_create,
    business_create, decide_at_installation, receiving_plan_create,
};
use gateway_platform::holidays::holiday_add;
use gateway_platform::plans::{
    NewPlan, assignment_add, default_plan_set, plan_create, plan_offer_set, plan_version_add,
};
use gateway_platform::reserves::{ReserveVersion, reserve_version_add};
use gateway_platform::settings::{Tenant, tenant_of, tenant_put};
use gateway_platform::terminals::{
    Billing, NewTerminal, terminal_create, terminal_set_billing, terminal_set_owner,
};
use gateway_platform::validity::{Since, allow_past_validity};
use ledger_domain::Cents;
use ledger_domain::calendar::{Date, business_date, start_of};
use ledger_domain::documents::Document;
use ledger_domain::sale::Solution;
use tokio_postgres::{Error, GenericClient};

use super::story::{Company, Plan, Story, StoryUser};

/// The fee of a withdrawal.
const RECEIVING_FLAT_RATE: Cents = Cents::new(350);

/// Holidays of the city, in days from today: one in the past, and one in the receivables schedule.
const LOCAL_HOLIDAYS: [(i64, &str); 2] = [(-24, "Aniversário da cidade"), (33, "Padroeira da cidade")];

/// A fixed holiday of the city: 25 January in São Paulo.
const FIXED_HOLIDAY: (u32, u32, &str) = (1, 25, "Aniversário de São Paulo");

/// Writes the reference data. The tables accept a past start of validity only after `allow_past_validity`.
pub async fn install(client: &impl GenericClient, story: &Story, today: Date) -> Result<(), Error> {
    allow_past_validity(client).await?;
    let receiving = NewReceivingPlan {
        id: Story::receiving_plan_id(),
        description: "Saque padrão".to_owned(),
        flat_rate: RECEIVING_FLAT_RATE,
        is_default: true,
        active: true,
    };
    receiving_plan_create(client, &receiving).await?;
    for plan in &story.plans {
        install_plan(client, plan, today).await?;
    }
    for company in &story.companies {
        install_company(client, company, today).await?;
    }
    for (date, name) in local_holidays(today) {
        holiday_add(client, date, name).await?;
    }
    let tenant = Tenant {
        time_zone: TimeZone::BRASILIA,
        ..tenant_of(client, "").await?
    };
    tenant_put(client, &tenant).await
}

/// The holidays by date. On a shared date the fixed one counts.
fn local_holidays(today: Date) -> BTreeMap<Date, &'static str> {
    let (month, day, name) = FIXED_HOLIDAY;
    let moving = LOCAL_HOLIDAYS.map(|(days, name)| (today + Duration::days(days), name));
    let fixed = (-1..=2).filter_map(|years| Date::from_ymd_opt(today.year() + years, month, day));
    moving.into_iter().chain(fixed.map(|date| (date, name))).collect()
}

fn days_ago(today: Date, days: i64) -> DateTime<Utc> {
    start_of(today - Duration::days(days))
}

async fn install_plan(client: &impl GenericClient, plan: &Plan, today: Date) -> Result<(), Error> {
    let Plan {
        description,
        solution,
        ..
    } = plan;
    plan_create(
        client,
        &NewPlan {
            id: plan.id(),
            description: description.clone(),
            solution: *solution,
            active: true,
        },
    )
    .await?;
    plan_offer_set(client, plan.id(), plan.offered).await?;
    for (version, plan_version) in (1..).zip(&plan.versions) {
        let since = Since::Past(days_ago(today, plan_version.days_ago));
        plan_version_add(client, &plan.terms(version, plan_version), since).await?;
    }
    if plan.default {
        let since = plan.versions.first().map_or(0, |first| first.days_ago);
        default_plan_set(client, *solution, plan.id(), Since::Past(days_ago(today, since))).await?;
    }
    Ok(())
}

async fn install_company(client: &impl GenericClient, company: &Company, today: Date) -> Result<(), Error> {
    let opened = days_ago(today, company.opened_days_ago);
    let since = Since::Past(opened);
    let business = NewBusiness {
        id: company.id(),
        name: company.name.clone(),
        document: Document::parse(&company.document).expect("a test reads the story's documents"),
        statement_descriptor: Some(company.statement_descriptor.clone()),
        receiving_plan_id: Story::receiving_plan_id(),
        profile: CompanyProfile::default(),
        created_at: since,
    };
    business_create(client, &business).await?;
    let decision = (company.decision_id(), Approval::Enabled, opened);
    decide_at_installation(client, company.id(), decision).await?;
    let bank_account = NewBankAccount {
        id: company.bank_account_id(),
        business_id: company.id(),
        is_default: true,
        account: company.bank_account.clone(),
    };
    bank_account_create(client, &bank_account).await?;
    for (solution, plan) in &company.plans {
        let solution = Solution::parse(solution).expect("the story's plans name solutions");
        assignment_add(client, company.id(), solution, Some(Plan::id_of(plan)), since).await?;
    }
    if let Some(reserve) = &company.reserve {
        let rules = ReserveVersion {
            id: company.reserve_id(),
            business_id: Some(company.id()),
            receiving_plan_id: None,
            version: 1,
            valid_from: business_date(days_ago(today, reserve.days_ago)),
            ends_on: None,
            percentage: reserve.percentage,
            days: reserve.days,
            maximum: None,
            reason: reserve.reason.clone(),
            recorded_by: None,
            recorded_at: days_ago(today, reserve.days_ago),
        };
        reserve_version_add(client, &rules).await?;
    }
    for terminal in &company.terminals {
        let first = terminal.owners_before.first();
        let new = NewTerminal {
            id: terminal.id(),
            serial_number: terminal.serial_number.clone(),
            name: terminal.name.clone(),
            created_at: first.map_or(since, |owner| Since::Past(days_ago(today, owner.days_ago))),
        };
        terminal_create(client, &new).await?;
        for owner in &terminal.owners_before {
            let from = Since::Past(days_ago(today, owner.days_ago));
            let business = owner.business.as_deref().map(Company::id_of);
            terminal_set_owner(client, terminal.id(), business, from).await?;
        }
        let since = match terminal.owned_days_ago {
            None => since,
            Some(days) => Since::Past(days_ago(today, days)),
        };
        terminal_set_owner(client, terminal.id(), Some(company.id()), since).await?;
        let (billing, since) = match terminal.rental {
            None => (Billing::NEW, since),
            Some(rental) => (
                Billing::Rental(rental.cents),
                Since::Past(days_ago(today, rental.days_ago)),
            ),
        };
        terminal_set_billing(client, terminal.id(), billing, since).await?;
    }
    Ok(())
}

/// The users of the demo have confirmed addresses.
pub async fn user_create(
    client: &impl GenericClient,
    user: &StoryUser,
    password_hash: &str,
) -> Result<(), UserError> {
    let audience = if user.panel == "admin" {
        staff_create(client, user, password_hash).await?;
        Audience::Admin
    } else {
        team_create(client, user, password_hash).await?;
        Audience::Seller
    };
    set_email_verified(client, audience, user.id()).await?;
    Ok(())
}

async fn staff_create(
    client: &impl GenericClient,
    user: &StoryUser,
    password_hash: &str,
) -> Result<(), UserError> {
    let roles: Vec<_> = user
        .roles
        .iter()
        .filter_map(|role| AdminRole::parse(role).ok())
        .collect();
    let admin = NewAdmin {
        id: user.id(),
        name: &user.name,
        email: &user.email,
        password_hash,
        roles: &roles,
        active: true,
    };
    admin_insert(client, Actor::System, &admin).await
}

async fn team_create(
    client: &impl GenericClient,
    user: &StoryUser,
    password_hash: &str,
) -> Result<(), UserError> {
    let seller = NewSeller {
        id: user.id(),
        name: &user.name,
        email: &user.email,
        password_hash,
        document: &user.document,
        active: true,
    };
    seller_insert(client, Actor::System, &seller).await?;
    for access in &user.access {
        let role = SellerRole::parse(&access.role).expect("the story's sellers have a seller's roles");
        let company = Company::id_of(&access.business);
        access_upsert(client, Actor::System, user.id(), company, role).await?;
    }
    Ok(())
}
