use std::collections::BTreeSet;

use ledger_domain::documents::{Cpf, Document};

use super::*;

#[test]
fn the_fixtures_are_readable_and_their_references_exist() {
    let story = Story::read();
    let companies: BTreeMap<_, _> = story
        .companies
        .iter()
        .map(|company| (&company.key, &company.name))
        .collect();
    let plans: BTreeSet<_> = story.plans.iter().map(|plan| &plan.key).collect();
    for company in &story.companies {
        assert!(
            company.plans.values().all(|plan| plans.contains(plan)),
            "{}",
            company.key
        );
    }
    let links: BTreeSet<_> = story.links.iter().map(|link| &link.code).collect();
    for company in &story.companies {
        assert!(
            company.links.iter().all(|code| links.contains(code)),
            "{}",
            company.key
        );
        let former_owners = company
            .terminals
            .iter()
            .flat_map(|terminal| &terminal.owners_before);
        for business in former_owners.filter_map(|owner| owner.business.as_ref()) {
            assert!(companies.contains_key(business), "{business}");
        }
    }
    assert!(
        story
            .links
            .iter()
            .all(|link| companies.contains_key(&link.business))
    );
    for user in &story.team {
        for access in &user.access {
            assert_eq!(
                companies.get(&access.business),
                Some(&&access.business_name),
                "{}",
                user.email
            );
        }
    }
}

#[test]
fn messages_and_requested_changes_name_users_of_the_story() {
    let story = Story::read();
    for message in &story.messages {
        let has_access = |access: &StoryAccess| access.business == message.business;
        assert!(
            story.user(&message.from).access.iter().any(has_access),
            "{}",
            message.subject
        );
        for answer in &message.answers {
            assert_eq!(story.user(&answer.from).panel, "admin", "{}", message.subject);
        }
    }
    // Only staff with the role admin may change plans.
    for requested in story.plans.iter().filter_map(|plan| plan.requested.as_ref()) {
        assert_eq!(story.user(&requested.by).roles, ["admin"]);
    }
}

#[test]
fn documents_are_valid_and_one_contains_letters() {
    let story = Story::read();
    for company in &story.companies {
        Document::parse(&company.document).unwrap_or_else(|_| panic!("{}", company.key));
    }
    assert!(
        story
            .companies
            .iter()
            .any(|company| company.document.chars().any(char::is_alphabetic))
    );
    for user in story.team.iter().filter(|user| user.panel == "seller") {
        Cpf::parse(&user.document).unwrap_or_else(|_| panic!("{}", user.email));
    }
}

#[test]
fn all_users_have_example_addresses_and_each_company_has_a_whole_team() {
    let story = Story::read();
    assert!(
        story
            .team
            .iter()
            .all(|user| user.email.ends_with("@exemplo.com.br"))
    );
    for company in &story.companies {
        let roles: BTreeSet<_> = story
            .team
            .iter()
            .flat_map(|user| &user.access)
            .filter(|access| access.business == company.key)
            .map(|access| access.role.as_str())
            .collect();
        assert_eq!(
            roles,
            BTreeSet::from(["admin", "operator", "owner"]),
            "{}",
            company.key
        );
    }
    // A role is for one company, so the story needs a user with another role at another company.
    let has_two_roles = |user: &StoryUser| {
        user.access
            .iter()
            .map(|access| &access.role)
            .collect::<BTreeSet<_>>()
            .len()
            > 1
    };
    assert!(story.team.iter().any(has_two_roles));
}

#[test]
fn the_story_has_a_staff_admin() {
    // Panics without one.
    Story::read().staff();
}
