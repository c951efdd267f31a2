//! Withdrawals that need the approvals of two staff users who are different people.

use gateway_identity::roles::AdminRole;
use ledger_domain::transfer::TransferStatus;
use serde_json::json;

use super::steps::status;
use super::{Balances, WithdrawalFixture, step_by};
use crate::support::{PASSWORD, User};

const TWO: (&str, &str) = ("RAZAO_WITHDRAWAL_APPROVALS", "2");

#[tokio::test]
async fn two_approvals_need_two_users() {
    for (step, after) in [
        ("approve", TransferStatus::Approved),
        ("process", TransferStatus::Processing),
    ] {
        let fixture = WithdrawalFixture::open_with(&[TWO]).await;
        let id = fixture.pending_withdrawal(400_00).await;
        let first = fixture.step(&id, step).await;
        assert_eq!(status(&first), TransferStatus::Pending, "still pending");
        assert_eq!(
            (first.at("/approvals"), first.at("/approvals_needed")),
            (&json!(1), &json!(2))
        );
        let same = fixture.step(&id, step).await;
        assert_eq!(
            (same.status, same.text("/message")),
            (409, "A segunda aprovação precisa ser de outra pessoa.")
        );
        let other = fixture
            .app
            .sign_in(&fixture.app.admin(&[AdminRole::Owner]).await)
            .await;
        let second = step_by(&other, &id, step).await;
        assert_eq!(status(&second), after);
        assert_eq!(second.at("/approvals"), 2);
        assert_eq!(fixture.app.count_events("TransferApprovalGiven").await, 1);
        assert_eq!(fixture.audit_entries_count(step, &id).await, 2);
    }
}

/// Both requests may see that the first approval is missing, and then both would give it.
#[tokio::test]
async fn two_users_who_approve_at_once_are_two_approvals() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let other = fixture
        .app
        .sign_in(&fixture.app.admin(&[AdminRole::Owner]).await)
        .await;
    for round in 0..20 {
        let id = fixture.pending_withdrawal(10_00 + round).await;
        let (one, another) = tokio::join!(fixture.step(&id, "approve"), step_by(&other, &id, "approve"));
        let mut both = [status(&one), status(&another)];
        both.sort_unstable();
        let approved = TransferStatus::Approved;
        assert_eq!(both[1], approved, "round {round}: {} {}", one.body, another.body);
    }
    assert_eq!(fixture.app.count_events("TransferApproved").await, 20);
}

#[tokio::test]
async fn one_user_can_refuse_a_withdrawal_that_waits_for_a_second_approval() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let id = fixture.pending_withdrawal(400_00).await;
    fixture.step(&id, "approve").await;
    assert_eq!(
        status(&fixture.step(&id, "refuse").await),
        TransferStatus::Refused
    );
    assert_eq!(fixture.balances().await, Balances::available(1_000_00));
}

#[tokio::test]
async fn the_first_approval_counts_while_its_user_may_approve() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let first = fixture.app.admin(&[AdminRole::Admin]).await;
    let approver = fixture.app.sign_in(&first).await;
    let id = fixture.pending_withdrawal(400_00).await;
    assert_eq!(
        status(&step_by(&approver, &id, "approve").await),
        TransferStatus::Pending
    );
    for (sql, may) in [
        ("roles = '{sac}'", false),
        ("active = false", false),
        ("active = true", true),
    ] {
        let roles = if may { ", roles = '{admin}'" } else { "" };
        let change = format!(
            "UPDATE admin_user SET {sql}{roles} WHERE id = '{}'",
            first.id.uuid()
        );
        fixture.app.execute(&change).await;
        let second = fixture.step(&id, "approve").await;
        if may {
            assert_eq!(status(&second), TransferStatus::Approved);
        } else {
            assert_eq!(second.status, 409, "{sql}: {}", second.body);
            assert!(
                second.text("/message").contains("primeira aprovação"),
                "{}",
                second.body
            );
        }
    }
}

#[tokio::test]
async fn one_person_with_two_users_is_not_two_people() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let form = json!({
        "name": "Célia Prado", "email": "celia@razao.example", "password": PASSWORD, "roles": ["admin"],
    });
    let made = fixture.staff.post("/api/admin/users", form).await;
    assert_eq!(made.status, 201, "{}", made.body);
    let created = User::staff(made.text("/id"), "celia@razao.example");
    let created = fixture.app.sign_in(&created).await;
    let id = fixture.pending_withdrawal(400_00).await;
    assert_eq!(
        status(&fixture.step(&id, "approve").await),
        TransferStatus::Pending
    );
    for step in ["approve", "process"] {
        let refused = step_by(&created, &id, step).await;
        assert_eq!(
            (refused.status, refused.text("/message")),
            (
                409,
                "Esta decisão precisa de duas pessoas, e Bruno Lima definiu o e-mail ou o grupo de Célia Prado. Peça a \
                 outra pessoa, ou a um proprietário que retire e devolva o grupo de Célia Prado."
            )
        );
    }
    // In the other order too.
    let id = fixture.pending_withdrawal(300_00).await;
    assert_eq!(
        status(&step_by(&created, &id, "approve").await),
        TransferStatus::Pending
    );
    let refused = fixture.step(&id, "approve").await;
    assert_eq!(refused.status, 409, "{}", refused.body);
    assert!(
        refused.text("/message").contains("precisa de duas pessoas"),
        "{}",
        refused.body
    );
    assert_eq!(fixture.app.count_events("TransferApproved").await, 0);
    let other = fixture.app.admin(&[AdminRole::Admin]).await;
    let other = fixture.app.sign_in(&other).await;
    assert_eq!(
        status(&step_by(&other, &id, "approve").await),
        TransferStatus::Approved
    );
}

/// The first user sets the second one's password, so they count as one person. Whichever request comes first, the other
/// one is not the second approval.
#[tokio::test]
async fn two_users_of_one_person_who_approve_at_once_are_one_approval() {
    let fixture = WithdrawalFixture::open_with(&[TWO]).await;
    let target = fixture.app.admin(&[AdminRole::Admin]).await;
    let path = format!("/api/admin/users/{}", target.id);
    let set = fixture.staff.patch(&path, json!({ "password": PASSWORD })).await;
    assert_eq!(set.status, 200, "{}", set.body);
    // Else the provisional password alone would refuse the second user.
    fixture
        .app
        .execute("UPDATE admin_user SET password_provisional = false")
        .await;
    let created = fixture.app.sign_in(&target).await;
    for round in 0..10 {
        let id = fixture.pending_withdrawal(10_00 + round).await;
        let (one, other) = tokio::join!(fixture.step(&id, "approve"), step_by(&created, &id, "approve"));
        let mut statuses = [one.status, other.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "round {round}: {} {}", one.body, other.body);
    }
    assert_eq!(fixture.app.count_events("TransferApproved").await, 0);
}

#[tokio::test]
async fn an_approval_waits_for_a_change_of_the_rule_that_has_begun() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    let owner = fixture.app.admin(&[AdminRole::Owner]).await;
    let mut client = fixture.app.database.client().await;
    let lowering = client.transaction().await.expect("a transaction");
    let lowered = format!(
        "LOCK TABLE platform_setting IN SHARE ROW EXCLUSIVE MODE;
         SET LOCAL razao.business_now = '2026-11-21T15:00:00Z';
         INSERT INTO platform_setting (key, number, value, valid_from, set_by)
         VALUES ('two_approvals_above', 1, 30000, '2026-11-21T15:00:00Z', '{}')",
        owner.id.uuid()
    );
    lowering.batch_execute(&lowered).await.expect("a lowered amount");
    let commit = async {
        fixture.app.until_sessions_wait_for_locks(1).await;
        lowering.commit().await.expect("a commit");
    };
    let (first, ()) = tokio::join!(fixture.step(&id, "approve"), commit);
    assert_eq!(
        status(&first),
        TransferStatus::Pending,
        "still pending: {}",
        first.body
    );
    assert_eq!(first.at("/approvals_needed"), 2);
}
