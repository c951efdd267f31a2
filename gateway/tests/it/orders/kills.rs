//! Kills the whole program in mid-order, with `SIGKILL`. The next program continues from the recorded state: each
//! charge has a sale, no sale is charged twice, and every order reaches its end.

use serde_json::{Value, json};
use tokio::task::JoinHandle;
use uuid::Uuid;

use super::{OrderFixture, PAID_CARD, credit, pix};
use crate::links::public;
use crate::support::program::Program;
use crate::support::sandbox::free_address;
use crate::support::wait::until;
use crate::support::{Answer, Client};

/// While the test holds the advisory lock 12, the program cannot record an acquirer's answer to a charge.
const HOLD: &str = "
    CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM pg_advisory_xact_lock(12);
        RETURN NEW;
    END $$;
    CREATE TRIGGER held BEFORE UPDATE ON order_attempt
        FOR EACH ROW WHEN (OLD.acquirer_id IS NULL AND NEW.acquirer_id IS NOT NULL) EXECUTE FUNCTION held();";
/// The killed program's database sessions would still make the changes that it requested.
const END_PROGRAM_SESSIONS: &str = "
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'";
const WAITING_FOR_THE_HOLD: &str = "
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'";
/// Ends the leases of the attempts that the killed program claimed, so that the next program need not wait.
const END_PROGRAM_LEASES: &str = "UPDATE order_attempt SET next_try_at = now() WHERE ended_at IS NULL";

// The cents of a total select the sandbox's behavior. The program is killed while it handles orders of all three.
/// The first request to charge it is lost; sent again, it is charged.
const LOST_ORDER: i64 = 100_23;
/// The charge is made, and its call times out.
const LOST_ANSWER: i64 = 100_21;
/// The charge is made and answered. The advisory lock keeps the program from recording the answer.
const ANSWERED: i64 = 100_00;

impl OrderFixture {
    /// Sends an order to the program. The answer is lost if the program is killed.
    async fn send(&self, buyer: Client, total: i64, is_card: bool) -> JoinHandle<Answer> {
        let link = self.link(json!({ "amount": total })).await;
        let body = if is_card {
            credit(total, self.card(PAID_CARD, 1).await)
        } else {
            pix(total)
        };
        let buyer = buyer.with("idempotency-key", &Uuid::new_v4().to_string());
        tokio::spawn(async move { buyer.post(&format!("{}/placeorder", public(&link)), body).await })
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_program_loses_no_order_and_charges_none_twice() {
    let (fixture, sandbox, addr) = OrderFixture::with_a_separate_program().await;
    let app = &fixture.links.app;
    app.execute(HOLD).await;
    let hold = app.database.client().await;
    hold.batch_execute("SELECT pg_advisory_lock(12)")
        .await
        .expect("the hold");
    // No notice arrives: it would report a charge before the program asks again.
    let nowhere = format!("http://{}", free_address());
    let variables = [("RAZAO_ACQUIRER_NOTICE_URL", &*nowhere)];
    let program = Program::new(&app.database.url, sandbox.addr, addr, &variables);

    let mut running = program.start();
    program.until_it_serves().await;
    let mut sent = vec![];
    for total in [LOST_ORDER, LOST_ANSWER, ANSWERED] {
        for is_card in [true, false] {
            sent.push(fixture.send(Client::new(addr), total, is_card).await);
        }
    }
    // By card and by PIX: a sale without a charge (LOST_ORDER), a charge without an answer, an answer without a record.
    until("six sales and four charges", async || {
        app.count_events("SaleCreated").await == 6 && fixture.charges().await.len() == 4
    })
    .await;
    app.until_count(WAITING_FOR_THE_HOLD, 2).await;
    for request in sent {
        request.abort();
    }
    running.kill().await.expect("a kill");
    app.count(END_PROGRAM_SESSIONS).await;
    let unknown = "SELECT count(*) FROM order_attempt WHERE status = 'unknown' AND acquirer_id IS NULL";
    assert_eq!(app.count(unknown).await, 6);

    // The second program has looked the four charges up when it is killed, and has charged the other two.
    app.execute(END_PROGRAM_LEASES).await;
    let mut running = program.start();
    app.until_count(WAITING_FOR_THE_HOLD, 6).await;
    running.kill().await.expect("a kill");
    app.count(END_PROGRAM_SESSIONS).await;
    assert_eq!(app.count(unknown).await, 6);
    assert_eq!(fixture.charges().await.len(), 6);

    hold.batch_execute("SELECT pg_advisory_unlock(12)")
        .await
        .expect("the end of the hold");
    app.execute(END_PROGRAM_LEASES).await;
    let running = program.start();
    app.until_count("SELECT count(*) FROM link_order WHERE status = 'paid'", 3)
        .await;
    app.until_count("SELECT count(*) FROM order_attempt WHERE pix_code IS NOT NULL", 3)
        .await;
    // The buyers of the other three pay their codes.
    for charge in fixture.charges().await {
        if charge["state"] == "pending" {
            let pay = format!("/sandbox/charges/{}/pay", text(&charge["id"]));
            assert_eq!(fixture.sandbox.post(&pay, json!({})).await.status, 200);
        }
    }
    app.execute(END_PROGRAM_LEASES).await;
    app.until_count("SELECT count(*) FROM link_order WHERE status = 'paid'", 6)
        .await;
    assert_eq!(app.count_events("SaleCreated").await, 6);
    assert_eq!(app.count_events("SaleCaptured").await, 6);
    let charges = fixture.charges().await;
    assert_eq!(charges.len(), 6, "{charges:?}");
    assert!(
        charges.iter().all(|charge| charge["state"] == "paid"),
        "{charges:?}"
    );
    fixture.assert_books_agree().await;
    drop(running);
    program.succeeds(&["audit", "verify"]).await;
    program.succeeds(&["audit", "replay"]).await;
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}
