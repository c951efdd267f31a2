//! Concurrent changes of staff users. At least one active admin and one active owner always stay.

use gateway_identity::roles::AdminRole::{Admin, Owner, Sac};
use gateway_identity::users::{NewAdmin, StaffCaller, UserError, staff_create, staff_delete};
use ledger_domain::ids::UserId;
use serde_json::json;
use uuid::Uuid;

use super::assert_message;
use super::staff::{LAST_ADMIN, PATH, delete, form, path, staff};
use crate::support::TestApp;

#[tokio::test]
async fn of_the_last_two_admins_removed_at_once_one_stays() {
    let app = TestApp::start().await;
    let (_, owner) = staff(&app, &[Owner]).await;
    for round in 0..10 {
        let (one, two) = (app.admin(&[Admin]).await, app.admin(&[Admin]).await);
        let answers = if round % 2 == 0 {
            let (one, two, off) = (path(&one), path(&two), json!({ "active": false }));
            tokio::join!(owner.patch(&one, off.clone()), owner.patch(&two, off))
        } else {
            tokio::join!(delete(&owner, &one), delete(&owner, &two))
        };
        let mut statuses = [answers.0.status, answers.1.status];
        statuses.sort_unstable();
        assert_eq!(statuses[1], 409, "{} {}", answers.0.body, answers.1.body);
        assert!([200, 204].contains(&statuses[0]));
        let refused = if answers.0.status == 409 {
            &answers.0
        } else {
            &answers.1
        };
        assert_message(refused, 409, LAST_ADMIN);
        let left = app
            .count("SELECT count(*) FROM admin_user WHERE active AND 'admin' = ANY (roles)")
            .await;
        assert_eq!(left, 1);
        app.execute("UPDATE admin_user SET roles = ARRAY['sac'] WHERE 'admin' = ANY (roles)")
            .await;
    }
}

#[tokio::test]
async fn a_user_who_lost_the_admin_role_during_the_request_creates_or_removes_no_user() {
    let app = TestApp::start().await;
    let (by, target) = (app.admin(&[Sac]).await, app.admin(&[Sac]).await);
    let mut client = app.app.state.pool.get().await.expect("a connection");
    let transaction = client.transaction().await.expect("a transaction");
    let by = StaffCaller {
        id: by.id,
        allowed: &[Admin],
    };
    let refused = staff_delete(&*transaction, by, target.id).await;
    assert!(matches!(refused, Err(UserError::ActorAccessEnded)), "{refused:?}");
    let hash = gateway_identity::credentials::passwords::hash("uma senha longa").expect("a hash");
    let new = NewAdmin {
        id: UserId::from_uuid(Uuid::now_v7()),
        name: "Célia",
        email: "celia@razao.example",
        password_hash: &hash,
        roles: &[Admin],
        active: true,
    };
    let refused = staff_create(&*transaction, by, &new).await;
    assert!(matches!(refused, Err(UserError::ActorAccessEnded)), "{refused:?}");
}

#[tokio::test]
async fn of_two_owners_who_remove_each_other_at_once_one_stays() {
    let app = TestApp::start().await;
    app.admin(&[Admin]).await;
    for _ in 0..10 {
        let (one, by_one) = staff(&app, &[Owner]).await;
        let (two, by_two) = staff(&app, &[Owner]).await;
        let (first, second) = tokio::join!(delete(&by_one, &two), delete(&by_two, &one));
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        // The second request comes from a user who is already removed: before the guard, or between the guard and the
        // change.
        assert_eq!(statuses[0], 204, "{} {}", first.body, second.body);
        assert!(
            [401, 403].contains(&statuses[1]),
            "{} {}",
            first.body,
            second.body
        );
        assert_eq!(
            app.count("SELECT count(*) FROM admin_user WHERE active AND 'owner' = ANY (roles)")
                .await,
            1
        );
        app.execute("UPDATE admin_user SET roles = ARRAY['sac'] WHERE 'owner' = ANY (roles)")
            .await;
    }
}

#[tokio::test]
async fn a_request_sent_twice_under_one_key_creates_one_user() {
    let app = TestApp::start().await;
    let (_, admin) = staff(&app, &[Admin]).await;
    let keyed = admin.with("idempotency-key", "chave-1");
    let first = keyed.post(PATH, form("celia@razao.example", &["sac"])).await;
    let second = keyed.post(PATH, form("celia@razao.example", &["sac"])).await;
    assert_eq!((first.status, second.status), (201, 201));
    assert_eq!(
        (first.body, second.header("idempotent-replayed")),
        (second.body.clone(), Some("true"))
    );
    let created = "SELECT count(*) FROM admin_user WHERE email = 'celia@razao.example'";
    assert_eq!(app.count(created).await, 1);
    let other = keyed.post(PATH, form("outra@razao.example", &["sac"])).await;
    assert_eq!(other.status, 409);
}
