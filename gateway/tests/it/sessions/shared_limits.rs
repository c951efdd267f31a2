//! Limits hold over all processes: behind a balancer an attacker gets no attempts more than from one process.

use std::net::SocketAddr;

use gateway_identity::rate_limit::{LimitKind, LimitedCaller};
use serde_json::json;

use crate::support::{Client, PARTS, PASSWORD, TestApp, User, noon};

async fn try_password(process: SocketAddr, user: &User, password: &str) -> u16 {
    let form = json!({ "email": user.email, "password": password });
    Client::new(process).post(user.sign_in_path(), form).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guesses_through_two_processes_count_together() {
    let app = TestApp::start().await;
    let other = app.second_gateway(PARTS).await;
    let processes = [app.addr(), other.address().expect("it listens")];
    let user = app.seller(&[]).await;
    // Eight failures are allowed from one caller on an account.
    for n in 0..8 {
        assert_eq!(try_password(processes[n % 2], &user, "outra-senha").await, 422);
    }
    for process in processes {
        assert_eq!(try_password(process, &user, PASSWORD).await, 429);
    }
    let colleague = app.seller(&[]).await;
    assert_eq!(try_password(processes[1], &colleague, PASSWORD).await, 200);
    other.stop().await;
}

/// Cards and orders too: each process takes from the same buckets, whatever is counted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_kind_of_call_counts_together() {
    let app = TestApp::start().await;
    let other = app.second_gateway(PARTS).await;
    let processes = [&app.app, &other].map(|process| process.state.accounts.limits.at(noon()));
    let caller = LimitedCaller::from_address([192, 0, 2, 1].into());
    for (kind, allowed) in [
        (LimitKind::CodeUse, 20),
        (LimitKind::DeclinedCard, 15),
        (LimitKind::Card, 150),
        (LimitKind::Order, 200),
    ] {
        let mut accepted = 0;
        for limits in processes.iter().cycle() {
            if limits.take_by_caller(kind, caller).await.is_err() {
                break;
            }
            accepted += 1;
        }
        assert_eq!(accepted, allowed, "{kind:?}");
    }
    other.stop().await;
}

#[tokio::test]
async fn what_is_not_counted_is_refused() {
    let app = TestApp::start().await;
    let user = app.seller(&[]).await;
    app.execute("ALTER TABLE rate_limit_bucket RENAME TO gone").await;
    let refused = app.try_sign_in(&user, PASSWORD).await;
    assert_eq!(refused.status, 500, "{}", refused.body);
    let form = json!({ "email": user.email });
    let refused = app.client().post("/api/auth/forgot-password", form).await;
    assert_eq!(refused.status, 500, "{}", refused.body);
    assert_eq!(app.rows("mail").await, 0);
    // Calls that only spare the machine are counted in memory.
    assert_eq!(app.client().get("/api/auth/get-csrf-token").await.status, 200);
    app.execute("ALTER TABLE gone RENAME TO rate_limit_bucket").await;
    assert_eq!(app.try_sign_in(&user, PASSWORD).await.status, 200);
}
