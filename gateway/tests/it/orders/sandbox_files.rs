//! The sandbox's charges outlive the program, each database's by themselves.

use serde_json::json;

use super::{OrderFixture, PRICE, pix};
use crate::support::{Client, PARTS_AND_SANDBOX};

#[tokio::test]
async fn the_sandbox_knows_the_charges_of_its_database_after_a_restart_and_of_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let variables = [("RAZAO_DATA", folder.path().to_str().expect("a path in UTF-8"))];
    let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    let link = fixture.link(json!({})).await;
    let order = fixture.placed(&link, pix(PRICE)).await;
    fixture.until_attempt_is(&order, "to_pay").await;
    let before = fixture.charges().await;
    assert_eq!(before.len(), 1);

    let links = fixture.links.restart(&variables, PARTS_AND_SANDBOX).await;
    let sandbox = Client::new(links.app.app.sandbox_address().expect("the sandbox"));
    let fixture = OrderFixture { links, sandbox };
    assert_eq!(fixture.charges().await, before);
    let sale_id = fixture.sale(&order, 1).await;
    fixture.change_charge(sale_id, "pay").await;
    fixture.hint(sale_id).await;
    fixture.until_attempt_is(&order, "paid").await;

    let other = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
    assert_eq!(other.charges().await.len(), 0);
}
