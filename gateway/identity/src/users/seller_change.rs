//! Changes to seller users, by staff and by the sellers who manage them. The rules are in `authority`. `locked_users`
//! prevents concurrent changes to the acting user and to the target.
//!
//! Every function runs inside the caller's transaction and writes its audit entries there.

use std::collections::BTreeSet;

use chrono::Utc;
use gateway_environment::request_context;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use serde_json::{Map, Value, json};
use tokio_postgres::types::Type;
use tokio_postgres::{GenericClient, Row};
use uuid::Uuid;

use super::UserError;
use super::access::access_change;
use super::authority::{AccessPlan, AccessRequest, Accesses, AuthorityRefusal};
use super::given_access::check_password;
use super::locked_users::{ActingUser, LockedUsers, authority_of};
use super::sellers::{NewSeller, seller_insert};
use super::still_allowed::StaffCaller;
use super::user_change::{ChangeEmails, UserChange};
use crate::audience::Audience;
use crate::audit::{Actor, Change, record};
use crate::credentials::codes;
use crate::credentials::email_change::{self, Canceled};
use crate::roles::SellerRole;
use crate::sessions::session_store;

/// A new user, with the role in each of the companies.
pub struct NewTeamMember<'a> {
    pub seller: NewSeller<'a>,
    pub role: SellerRole,
    pub companies: BTreeSet<BusinessId>,
}

/// Returns whether the password is provisional.
pub async fn team_member_create(
    client: &impl GenericClient,
    caller: ActingUser,
    new: &NewTeamMember<'_>,
) -> Result<bool, UserError> {
    let authority = authority_of(client, caller).await?;
    let granted = authority.first_accesses(new.role, &new.companies)?;
    if !all_exist(client, &new.companies).await? {
        return Err(match caller {
            ActingUser::Staff(_) => UserError::ListedCompanyUnknown,
            // Sellers do not learn which companies exist.
            ActingUser::Seller(_) => AuthorityRefusal::RoleNotAssignableInListedCompany.into(),
        });
    }
    let id = new.seller.id;
    seller_insert(client, caller.actor(), &new.seller).await?;
    let is_provisional = match caller {
        ActingUser::Staff(_) => check_password(client, id, &new.companies).await?,
        ActingUser::Seller(_) => false,
    };
    let plan = AccessPlan {
        granted,
        ..AccessPlan::default()
    };
    access_change(client, caller.actor(), id, &Accesses::new(), &plan).await?;
    Ok(is_provisional)
}

/// The first owner of a new company.
pub enum FirstOwner<'a> {
    Existing(UserId),
    New(NewSeller<'a>),
}

/// Gives a new company its owner. It has nothing to take, so the password of a new user works at once.
pub async fn first_owner_set(
    client: &impl GenericClient,
    caller: StaffCaller,
    company: BusinessId,
    owner: &FirstOwner<'_>,
) -> Result<(), UserError> {
    let (caller, role) = (ActingUser::Staff(caller), SellerRole::Owner);
    match owner {
        FirstOwner::Existing(seller) => {
            team_access_grant(client, caller, *seller, company, role).await?;
        }
        FirstOwner::New(seller) => {
            let new = NewTeamMember {
                seller: *seller,
                role,
                companies: BTreeSet::from([company]),
            };
            team_member_create(client, caller, &new).await?;
        }
    }
    Ok(())
}

/// Changes fields and accesses together, or nothing. A new address takes effect later. `panel_url` is that of the
/// seller panel. Only a seller's `access_request` is applied: staff change accesses
/// by `team_access_grant` and `team_access_remove`.
pub async fn team_member_change(
    client: &impl GenericClient,
    caller: ActingUser,
    target: UserId,
    change: UserChange,
    access_request: &AccessRequest,
    panel_url: &str,
) -> Result<ChangeEmails, UserError> {
    let locked = LockedUsers::lock_in_current_company(client, caller, target).await?;
    let change = change.differing_fields(&locked.target);
    if !change.is_empty() && !locked.authority.can_manage(&locked.accesses) {
        return Err(AuthorityRefusal::NotAllCompanies.into());
    }
    if let ActingUser::Seller(seller) = caller {
        let current = seller.company;
        if locked.is_self && locked.requests_other_access(current, access_request) {
            return Err(AuthorityRefusal::OwnAccess.into());
        }
        let plan = locked.authority.plan(&locked.accesses, current, access_request)?;
        access_change(client, caller.actor(), target, &locked.accesses, &plan).await?;
    }
    fields_change(client, caller.actor(), target, &locked.target, &change).await?;
    let owner = (Audience::Seller, target);
    let address = (locked.target.get("email"), panel_url);
    change
        .request_email_change(client, caller.actor(), owner, address)
        .await
}

/// Deletes a seller user. The user cannot sign in, and the e-mail is free for another user. The name stays for the
/// audit log.
pub async fn team_member_delete(
    client: &impl GenericClient,
    caller: ActingUser,
    target: UserId,
) -> Result<(), UserError> {
    let locked = LockedUsers::lock_in_current_company(client, caller, target).await?;
    if !locked.authority.can_manage(&locked.accesses) {
        return Err(AuthorityRefusal::NotAllCompanies.into());
    }
    let plan = AccessPlan {
        removed: locked.accesses.clone(),
        ..AccessPlan::default()
    };
    access_change(client, caller.actor(), target, &locked.accesses, &plan).await?;
    client
        .execute_typed(
            "UPDATE seller_user SET active = false, password_hash = NULL, deleted_at = now() WHERE id = $1",
            &[(&target.uuid(), Type::UUID)],
        )
        .await?;
    let was = &locked.target;
    let change = Change {
        action: "delete",
        subject: "seller_user",
        subject_id: &target.to_string(),
        before: Some(json!({
            "name": was.get::<_, &str>("name"), "email": was.get::<_, &str>("email"),
            "document": was.get::<_, &str>("document"), "active": was.get::<_, bool>("active"),
        })),
        after: None,
    };
    record(client, caller.actor(), change).await?;
    session_store::revoke_all(client, Audience::Seller, target, "deleted", Utc::now()).await?;
    codes::end_all(client, Audience::Seller, target).await?;
    let now = request_context::now();
    email_change::cancel(client, (Audience::Seller, target), Canceled::Any, now).await?;
    Ok(())
}

/// Grants a user access to another company, or changes the role. A seller can do this only for users of companies in
/// which the seller may assign roles. Returns whether it changed anything.
pub async fn team_access_grant(
    client: &impl GenericClient,
    caller: ActingUser,
    target: UserId,
    company: BusinessId,
    role: SellerRole,
) -> Result<bool, UserError> {
    let locked = LockedUsers::lock_in_any_company(client, caller, target).await?;
    if locked.accesses.contains_key(&company) && !locked.authority.can_manage_in(&locked.accesses, company) {
        return Err(AuthorityRefusal::NotManaged.into());
    }
    let plan = locked
        .authority
        .plan_for_company(&locked.accesses, company, role)?;
    if !all_exist(client, &BTreeSet::from([company])).await? {
        return Err(UserError::CompanyUnknown);
    }
    if plan.is_empty() {
        return Ok(false);
    }
    if let ActingUser::Staff(_) = caller {
        check_password(client, target, &BTreeSet::from([company])).await?;
    }
    access_change(client, caller.actor(), target, &locked.accesses, &plan).await?;
    Ok(true)
}

/// Removes the access to a company, even the last one.
pub async fn team_access_remove(
    client: &impl GenericClient,
    caller: ActingUser,
    target: UserId,
    company: BusinessId,
) -> Result<(), UserError> {
    let locked = LockedUsers::lock_in_any_company(client, caller, target).await?;
    let role = *locked.accesses.get(&company).ok_or(UserError::Unknown)?;
    if !locked.authority.can_manage_in(&locked.accesses, company) {
        return Err(AuthorityRefusal::NotManaged.into());
    }
    let plan = AccessPlan {
        removed: Accesses::from([(company, role)]),
        ..AccessPlan::default()
    };
    Ok(access_change(client, caller.actor(), target, &locked.accesses, &plan).await?)
}

/// Whether all these companies exist. Deleted ones count as missing, so that no access to them is granted.
async fn all_exist(client: &impl GenericClient, companies: &BTreeSet<BusinessId>) -> Result<bool, UserError> {
    let ids: Vec<Uuid> = companies.iter().map(|id| id.uuid()).collect();
    let found = client
        .query_typed_one(
            "SELECT count(*) FROM business WHERE id = ANY ($1) AND approval <> 'deleted'",
            &[(&ids, Type::UUID_ARRAY)],
        )
        .await?;
    Ok(usize::try_from(found.get::<_, i64>(0)) == Ok(companies.len()))
}

/// Writes the fields except the address. Ends the sessions if the user was deactivated or got another password, which
/// is provisional.
async fn fields_change(
    client: &impl GenericClient,
    actor: Actor,
    target: UserId,
    was: &Row,
    change: &UserChange,
) -> Result<(), UserError> {
    if change.is_empty() {
        return Ok(());
    }
    client
        .execute_typed(
            "UPDATE seller_user
                SET name = coalesce($2, name), document = coalesce($3, document), active = coalesce($4, active),
                    password_hash = coalesce($5, password_hash),
                    password_provisional = password_provisional OR $5 IS NOT NULL
              WHERE id = $1",
            &[
                (&target.uuid(), Type::UUID),
                (&change.name, Type::TEXT),
                (&change.document, Type::TEXT),
                (&change.active, Type::BOOL),
                (&change.password_hash, Type::TEXT),
            ],
        )
        .await?;
    let (mut before, mut after) = (Map::new(), Map::new());
    let mut add_field = |field: &str, was: Value, now: Option<Value>| {
        if let Some(now) = now {
            before.insert(field.to_owned(), was);
            after.insert(field.to_owned(), now);
        }
    };
    for (field, now) in [("name", &change.name), ("document", &change.document)] {
        add_field(
            field,
            json!(was.get::<_, &str>(field)),
            now.as_ref().map(|now| json!(now)),
        );
    }
    add_field(
        "active",
        json!(was.get::<_, bool>("active")),
        change.active.map(|now| json!(now)),
    );
    change
        .write_audit_log(client, actor, ("seller_user", target), (before, after))
        .await?;
    Ok(change
        .revoke_sessions_and_codes(client, Audience::Seller, target)
        .await?)
}
