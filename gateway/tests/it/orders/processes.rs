//! Orders that are placed at a process that does not record for the company.

use serde_json::json;
use uuid::Uuid;

use super::{OrderFixture, PRICE, pix};
use crate::support::{Client, PARTS};

/// Notes each try that failed.
const LOG_OF_FAULTS: &str = "
    CREATE TABLE fault_log (fault text);
    CREATE FUNCTION log_fault() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO fault_log VALUES (NEW.last_error);
        RETURN NEW;
    END $$;
    CREATE TRIGGER log_fault BEFORE UPDATE ON order_attempt
        FOR EACH ROW WHEN (NEW.last_error IS NOT NULL) EXECUTE FUNCTION log_fault();";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_placed_at_another_process_is_charged_by_the_one_that_records_it() {
    let fixture = OrderFixture::open().await;
    let app = &fixture.links.app;
    app.execute(LOG_OF_FAULTS).await;
    let parts = PARTS;
    let sandbox = app.app.sandbox_address().expect("the sandbox").to_string();
    let variables = [("RAZAO_SANDBOX_ADDR", sandbox.as_str())];
    let second = app.second_gateway_with(&variables, parts).await;
    let addr = second.address().expect("it listens");
    for _ in 0..4 {
        let link = fixture.link(json!({})).await;
        let key = Uuid::new_v4().to_string();
        let order = fixture.place_by(Client::new(addr), &link, pix(PRICE), &key).await;
        assert_eq!(order.status, 201, "{}", order.body);
        fixture.until_attempt_is(&order, "to_pay").await;
    }
    let faults = "SELECT count(*) FROM fault_log WHERE fault = 'ledger_unavailable'";
    assert_eq!(
        app.count(faults).await,
        0,
        "only the process that records tries them"
    );
    second.stop().await;
}
