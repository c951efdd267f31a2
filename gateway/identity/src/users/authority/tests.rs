//! Tests of each rule, and properties that hold for every request.

use proptest::prelude::*;
use uuid::Uuid;

use super::SellerRole::{Admin, Operator, Owner};
use super::*;

fn company(number: u128) -> BusinessId {
    BusinessId::from_uuid(Uuid::from_u128(number))
}

fn accesses(roles: &[(u128, SellerRole)]) -> Accesses {
    roles
        .iter()
        .map(|(number, role)| (company(*number), *role))
        .collect()
}

fn seller(roles: &[(u128, SellerRole)]) -> Authority {
    Authority::Seller(accesses(roles))
}

fn access_request(role: Option<SellerRole>, companies: &[u128]) -> AccessRequest {
    AccessRequest {
        role,
        companies: Some(companies.iter().map(|number| company(*number)).collect()),
    }
}

#[test]
fn owners_manage_admins_and_operators_and_admins_manage_operators_only() {
    let manages = |own, other| seller(&[(1, own)]).can_manage_in(&accesses(&[(1, other)]), company(1));
    for other in [Admin, Operator] {
        assert!(manages(Owner, other));
    }
    assert!(manages(Admin, Operator));
    for (own, other) in [
        (Owner, Owner),
        (Admin, Owner),
        (Admin, Admin),
        (Operator, Operator),
        (Operator, Admin),
    ] {
        assert!(!manages(own, other), "{own:?} {other:?}");
    }
    assert!(Authority::Staff.can_manage_in(&accesses(&[(1, Owner)]), company(1)));
    assert!(!Authority::Staff.can_manage_in(&accesses(&[(1, Owner)]), company(2)));
}

#[test]
fn managing_a_user_needs_authority_in_every_company_and_at_least_one_company() {
    let owner = seller(&[(1, Owner), (2, Owner)]);
    assert!(owner.can_manage(&accesses(&[(1, Admin), (2, Operator)])));
    assert!(!owner.can_manage(&accesses(&[(1, Admin), (3, Operator)])));
    assert!(!owner.can_manage(&accesses(&[(1, Owner)])));
    assert!(!owner.can_manage(&accesses(&[])));
    assert!(Authority::Staff.can_manage(&accesses(&[])));
}

#[test]
fn a_role_is_assigned_by_those_above_it_and_an_owner_by_staff() {
    let (owner, admin) = (seller(&[(1, Owner)]), seller(&[(1, Admin)]));
    assert!(owner.can_assign(Admin, company(1)) && owner.can_assign(Operator, company(1)));
    assert!(!owner.can_assign(Owner, company(1)) && !owner.can_assign(Operator, company(2)));
    assert!(admin.can_assign(Operator, company(1)) && !admin.can_assign(Admin, company(1)));
    assert!(Authority::Staff.can_assign(Owner, company(1)));
}

#[test]
fn listed_companies_are_granted_or_changed_and_managed_others_removed() {
    let owner = seller(&[(1, Owner), (2, Owner), (3, Owner)]);
    let target = accesses(&[(1, Operator), (2, Operator), (9, Admin)]);
    let plan = owner.plan(&target, company(1), &access_request(Some(Admin), &[2, 3]));
    let expected = AccessPlan {
        granted: accesses(&[(3, Admin)]),
        changed: accesses(&[(2, Admin)]),
        removed: accesses(&[(1, Operator)]),
    };
    assert_eq!(plan.as_ref(), Ok(&expected));
    let after = accesses(&[(2, Admin), (3, Admin), (9, Admin)]);
    assert_eq!(plan.map(|plan| plan.applied_to(&target)), Ok(after));
}

#[test]
fn without_a_role_present_accesses_stay_and_no_company_is_granted() {
    let owner = seller(&[(1, Owner), (2, Owner)]);
    let target = accesses(&[(1, Admin)]);
    let plan = |companies| owner.plan(&target, company(1), &access_request(None, companies));
    assert_eq!(plan(&[1]), Ok(AccessPlan::default()));
    assert_eq!(plan(&[1, 2]), Err(AuthorityRefusal::RoleMissing));
}

#[test]
fn an_access_that_the_actor_does_not_manage_stays_listed_or_not() {
    let admin = seller(&[(1, Admin), (2, Admin)]);
    let target = accesses(&[(1, Admin), (2, Operator)]);
    for companies in [&[2][..], &[1, 2]] {
        let plan = admin.plan(&target, company(2), &access_request(Some(Operator), companies));
        assert_eq!(plan, Ok(AccessPlan::default()), "{companies:?}");
    }
}

#[test]
fn a_role_that_the_actor_may_not_assign_and_an_unknown_company_are_refused() {
    let admin = seller(&[(1, Admin), (2, Operator)]);
    let target = accesses(&[(1, Operator)]);
    let plan = |access_request| admin.plan(&target, company(1), &access_request);
    let refused = Err(AuthorityRefusal::RoleNotAssignableInListedCompany);
    assert_eq!(plan(access_request(Some(Admin), &[1])), refused);
    assert_eq!(plan(access_request(Some(Operator), &[1, 2])), refused);
    assert_eq!(plan(access_request(Some(Operator), &[1, 404])), refused);
    let alone = AccessRequest {
        role: Some(Admin),
        companies: None,
    };
    assert_eq!(plan(alone), Err(AuthorityRefusal::RoleNotAssignable));
}

#[test]
fn a_list_cannot_leave_a_user_without_a_company() {
    let owner = seller(&[(1, Owner)]);
    let empty = access_request(Some(Operator), &[]);
    let refused = Err(AuthorityRefusal::NoCompany);
    assert_eq!(
        owner.plan(&accesses(&[(1, Operator)]), company(1), &empty),
        refused
    );
    let in_two_companies = accesses(&[(1, Operator), (2, Operator)]);
    let plan = owner.plan(&in_two_companies, company(1), &empty);
    assert_eq!(plan.map(|plan| plan.removed), Ok(accesses(&[(1, Operator)])));
    assert_eq!(
        owner.first_accesses(Operator, &BTreeSet::new()),
        Err(AuthorityRefusal::NoCompany)
    );
}

#[test]
fn a_role_without_companies_concerns_the_current_company() {
    let owner = seller(&[(1, Owner), (2, Owner)]);
    let target = accesses(&[(1, Operator), (2, Operator)]);
    let promoted = AccessRequest {
        role: Some(Admin),
        companies: None,
    };
    let plan = owner.plan(&target, company(2), &promoted);
    assert_eq!(plan.map(|plan| plan.changed), Ok(accesses(&[(2, Admin)])));
    let of_an_owner = accesses(&[(2, Owner)]);
    assert_eq!(
        owner.plan(&of_an_owner, company(2), &promoted),
        Err(AuthorityRefusal::NotManaged)
    );
}

fn roles() -> impl Strategy<Value = Accesses> {
    let role = prop_oneof![Just(Owner), Just(Admin), Just(Operator)];
    proptest::collection::btree_map((1..6_u128).prop_map(company), role, 0..6)
}

fn access_requests() -> impl Strategy<Value = AccessRequest> {
    let role = prop_oneof![
        Just(None),
        Just(Some(Owner)),
        Just(Some(Admin)),
        Just(Some(Operator))
    ];
    let companies = proptest::collection::btree_set((1..7_u128).prop_map(company), 0..7);
    (role, proptest::option::of(companies)).prop_map(|(role, companies)| AccessRequest { role, companies })
}

/// A number that falls as the role rises.
fn rank(role: Option<&SellerRole>) -> u8 {
    match role {
        Some(Owner) => 0,
        Some(Admin) => 1,
        Some(Operator) => 2,
        None => 3,
    }
}

proptest! {
    #[test]
    fn a_seller_grants_and_removes_only_lower_roles(
        own in roles(),
        target in roles(),
        access_request in access_requests(),
        current in 1..6_u128,
    ) {
        let authority = Authority::Seller(own.clone());
        let Ok(plan) = authority.plan(&target, company(current), &access_request) else { return Ok(()) };
        let after = plan.applied_to(&target);
        for number in 1..7 {
            let company = company(number);
            let (before, now) = (target.get(&company), after.get(&company));
            if before == now {
                continue;
            }
            // The actor's role is above both the previous and the new role.
            prop_assert!(rank(own.get(&company)) < rank(before), "{before:?}");
            prop_assert!(rank(own.get(&company)) < rank(now), "{now:?}");
            prop_assert!(before != Some(&Owner) && now != Some(&Owner));
            prop_assert!(own.get(&company) != Some(&Operator));
        }
        // No plan takes the last company from a user.
        prop_assert!(!after.is_empty() || target.is_empty());
    }

    #[test]
    fn an_access_that_the_actor_does_not_manage_is_unchanged(
        own in roles(),
        target in roles(),
        access_request in access_requests(),
        current in 1..6_u128,
    ) {
        let authority = Authority::Seller(own);
        let Ok(plan) = authority.plan(&target, company(current), &access_request) else { return Ok(()) };
        let after = plan.applied_to(&target);
        for (company, role) in &target {
            if !authority.can_manage_in(&target, *company) {
                prop_assert_eq!(after.get(company), Some(role));
            }
        }
    }

    #[test]
    fn no_seller_changes_their_own_access(
        own in roles(),
        access_request in access_requests(),
        current in 1..6_u128,
    ) {
        let authority = Authority::Seller(own.clone());
        prop_assert!(!authority.can_manage(&own));
        if let Ok(plan) = authority.plan(&own, company(current), &access_request) {
            prop_assert!(plan.is_empty(), "{:?}", plan);
        }
    }

    #[test]
    fn a_request_of_staff_is_applied_exactly(
        target in roles(),
        access_request in access_requests(),
        current in 1..6_u128,
    ) {
        let AccessRequest { role: Some(role), companies: Some(companies) } = &access_request else { return Ok(()) };
        if let Ok(plan) = Authority::Staff.plan(&target, company(current), &access_request) {
            let wanted: Accesses = companies.iter().map(|company| (*company, *role)).collect();
            prop_assert_eq!(plan.applied_to(&target), wanted);
        }
    }
}
