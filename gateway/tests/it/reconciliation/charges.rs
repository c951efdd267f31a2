//! Reported rows that name the charge of an order, or the order, instead of the external id of a sale.

use gateway_formats::settlement_files::cnab240;
use gateway_platform::reconciliation::mark_rows_of_charge;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, SaleId};
use serde_json::json;
use uuid::Uuid;

use super::SettlementFixture;
use super::imports::boleto;
use crate::support::Sale;
use crate::support::orders::PaidOrder;

impl SettlementFixture {
    /// An order paid by a boleto of R$ 149,90: its sale and its reference. `charge_id` is the acquirer's id of the
    /// charge, or `None` if the attempt does not know it yet.
    async fn boleto_of_order(&self, charge_id: Option<&str>) -> (SaleId, String) {
        let external_id = Uuid::new_v4().to_string();
        let mut sale = Sale::pix().amount(149_90).days_ago(9);
        sale.facts.payment_type = PaymentType::Boleto;
        self.capture(sale, &external_id).await;
        let sale_id = self.app.app.state.ids.sale(Provider::Zoop, &external_id);
        let order = PaidOrder {
            sale_id,
            provider: Provider::Zoop,
            payment_type: PaymentType::Boleto,
            installments: 1,
            amount: Cents::new(149_90),
            charge_id,
        };
        let reference = self.app.paid_order(&self.bakery, &order).await;
        (sale_id, reference)
    }

    /// Imports a payment of R$ 149,90 whose charge no order has yet.
    async fn import_unknown(&self, reference: &str) {
        let file = cnab240::write_file("341", &[boleto(reference, "2026-11-13")]);
        self.import("retorno.ret", file).await;
        assert_eq!(
            self.differences("kind=unknown").await,
            [json!(["unknown", reference, 149_90, "open"])]
        );
    }

    /// The sale that was found for the reported row with this reference.
    async fn matched_sale(&self, reference: &str) -> Option<SaleId> {
        let client = self.app.database.client().await;
        let sql = "SELECT sale_id FROM acquirer_receivable WHERE reference = $1";
        let row = client.query_one(sql, &[&reference]).await.expect("a row");
        row.get::<_, Option<Uuid>>(0).map(SaleId::from_uuid)
    }
}

#[tokio::test]
async fn a_boleto_of_an_order_is_found_by_its_charge_and_by_its_order() {
    let fixture = SettlementFixture::open().await;
    let (by_charge, _) = fixture.boleto_of_order(Some("9F01")).await;
    let (by_order, reference) = fixture.boleto_of_order(Some("9F02")).await;
    let (later, _) = fixture.boleto_of_order(None).await;
    let (foreign, _) = fixture.boleto_of_order(None).await;
    // The same id at another acquirer is another charge. (As a replica, the session runs no triggers and checks no
    // foreign keys: they refuse this change of an attempt.)
    fixture
        .app
        .execute(&format!(
            "SET session_replication_role = replica;
             UPDATE order_attempt SET provider = {}, acquirer_id = '9F04' WHERE sale_id = '{}';
             RESET session_replication_role",
            Provider::Entrepay.number(),
            foreign.uuid()
        ))
        .await;
    fixture.until_projected().await;
    let due = fixture
        .first_due_date(&external_id_of(&fixture, by_charge).await)
        .await
        .to_string();
    let mut of_order = boleto("777", &due);
    of_order.title.document_number = reference;
    let movements = [
        boleto("00009F01", &due),
        of_order,
        boleto("9F03", &due),
        boleto("9F04", &due),
    ];
    fixture
        .import("retorno.ret", cnab240::write_file("341", &movements))
        .await;
    assert_eq!(fixture.matched_sale("00009F01").await, Some(by_charge));
    assert_eq!(fixture.matched_sale("777").await, Some(by_order));
    assert_eq!(
        (
            fixture.matched_sale("9F03").await,
            fixture.matched_sale("9F04").await
        ),
        (None, None)
    );
    assert_eq!(
        fixture.differences("kind=unknown").await,
        [
            json!(["unknown", "9F03", 149_90, "open"]),
            json!(["unknown", "9F04", 149_90, "open"]),
        ]
    );

    // The attempt learns its charge's id after the file.
    let client = fixture.app.database.client().await;
    fixture
        .app
        .execute(&format!(
            "UPDATE order_attempt SET acquirer_id = '9F03' WHERE sale_id = '{}'",
            later.uuid()
        ))
        .await;
    mark_rows_of_charge(&client, Provider::Zoop, "9F03")
        .await
        .expect("marked");
    fixture.run_job().await;
    assert_eq!(fixture.matched_sale("9F03").await, Some(later));
    assert_eq!(
        fixture.differences("kind=unknown").await,
        [json!(["unknown", "9F04", 149_90, "open"])]
    );
}

#[tokio::test]
async fn a_row_waits_for_a_sale_that_the_read_model_does_not_have_yet() {
    let fixture = SettlementFixture::open().await;
    fixture.import_unknown("9F05").await;
    let mut locking = fixture.app.database.client().await;
    let lock_of_followers = locking.transaction().await.expect("a transaction");
    lock_of_followers
        .batch_execute("LOCK TABLE projection_checkpoint IN ACCESS EXCLUSIVE MODE")
        .await
        .expect("the followers are stopped");
    let (sale, _) = fixture.boleto_of_order(Some("9F05")).await;
    let client = fixture.app.database.client().await;
    mark_rows_of_charge(&client, Provider::Zoop, "9F05")
        .await
        .expect("marked");
    fixture.run_job().await;
    assert_eq!(fixture.matched_sale("9F05").await, None);

    lock_of_followers.commit().await.expect("the followers go on");
    fixture.until_projected().await;
    fixture.run_job().await;
    assert_eq!(fixture.matched_sale("9F05").await, Some(sale));
    assert!(fixture.differences("kind=unknown").await.is_empty());
}

#[tokio::test]
async fn a_charge_that_becomes_known_during_a_comparison_is_compared_after_it() {
    let fixture = SettlementFixture::open().await;
    let (sale, _) = fixture.boleto_of_order(None).await;
    fixture.until_projected().await;
    fixture.import_unknown("9F06").await;
    let client = fixture.app.database.client().await;
    let mark = "UPDATE acquirer_receivable SET compared = false";
    fixture.app.execute(mark).await;
    let mut locking = fixture.app.database.client().await;
    let lock_of_sales = locking.transaction().await.expect("a transaction");
    let lock = "LOCK TABLE sale IN ACCESS EXCLUSIVE MODE";
    lock_of_sales.batch_execute(lock).await.expect("no reader");
    let job = fixture.app.app.reconciliation();
    let comparison = tokio::spawn(async move { job.run().await });
    // The comparison has read which charges are known, and waits to read the sales.
    fixture.app.until_sessions_wait_for_locks(1).await;
    fixture
        .app
        .execute(&format!(
            "UPDATE order_attempt SET acquirer_id = '9F06' WHERE sale_id = '{}'",
            sale.uuid()
        ))
        .await;
    let known = tokio::spawn(async move { mark_rows_of_charge(&client, Provider::Zoop, "9F06").await });
    fixture.app.until_sessions_wait_for_locks(2).await;
    lock_of_sales.commit().await.expect("readers go on");
    comparison
        .await
        .expect("a task")
        .expect("the job ends without an error");
    known.await.expect("a task").expect("marked");

    fixture.run_job().await;
    assert_eq!(fixture.matched_sale("9F06").await, Some(sale));
}

#[tokio::test]
async fn a_row_that_names_an_order_paid_twice_stays_unmatched() {
    let fixture = SettlementFixture::open().await;
    let (_, reference) = fixture.boleto_of_order(Some("9F01")).await;
    let (other, _) = fixture.boleto_of_order(Some("9F02")).await;
    fixture
        .app
        .execute(&format!(
            "SET session_replication_role = replica;
             UPDATE order_attempt SET number = 2, order_id = (SELECT id FROM link_order WHERE reference = '{reference}')
              WHERE sale_id = '{}';
             RESET session_replication_role",
            other.uuid()
        ))
        .await;
    fixture.until_projected().await;
    let mut movement = boleto("777", "2026-11-13");
    movement.title.document_number = reference;
    let file = cnab240::write_file("341", &[movement]);
    fixture.import("retorno.ret", file).await;
    assert_eq!(fixture.matched_sale("777").await, None);
}

async fn external_id_of(fixture: &SettlementFixture, sale: SaleId) -> String {
    let client = fixture.app.database.client().await;
    let sql = "SELECT external_id FROM sale WHERE sale_id = $1";
    client
        .query_one(sql, &[&sale.uuid()])
        .await
        .expect("the sale")
        .get(0)
}
