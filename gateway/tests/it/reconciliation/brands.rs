//! A settlement file tells the brand of a card whose acquirer has told none.

use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, SaleId};

use super::{SettlementFixture, detail, paid_file};
use crate::support::orders::PaidOrder;

impl SettlementFixture {
    /// A sale of R$ 300,00 by a card that the buyer called a Visa, at a total with the fees of a Visa.
    async fn card_of_order(&self, external_id: &str) -> SaleId {
        self.card_sale(external_id).await;
        let sale_id = self.app.app.state.ids.sale(Provider::Zoop, external_id);
        let order = PaidOrder {
            sale_id,
            provider: Provider::Zoop,
            payment_type: PaymentType::Credit,
            installments: 3,
            amount: Cents::new(300_00),
            charge_id: None,
        };
        self.app.paid_order(&self.bakery, &order).await;
        let of_buyer =
            "UPDATE payment_link SET payer = 'buyer', version = version + 1 WHERE payer = 'seller'; UPDATE order_attempt SET brand_source = 'buyer'
                         WHERE brand_source IS NULL";
        self.app.execute(of_buyer).await;
        sale_id
    }

    async fn brand_source(&self, sale_id: SaleId) -> String {
        let client = self.app.database.client().await;
        let sql = "SELECT brand_source FROM order_attempt WHERE sale_id = $1";
        let row = client
            .query_one(sql, &[&sale_id.uuid()])
            .await
            .expect("an attempt");
        row.get(0)
    }
}

#[tokio::test]
async fn a_file_confirms_the_brand_that_a_buyer_named_or_staff_see_the_contradiction() {
    let fixture = SettlementFixture::open().await;
    let visa = fixture.card_of_order("TID-1").await;
    let elo = fixture.card_of_order("TID-2").await;
    fixture.until_projected().await;
    // The receivable unit (record D) of one file is of Visa (001), that of the other of Elo (007).
    fixture.import("visa.txt", paid_file(vec![detail("TID-1")])).await;
    let of_elo: String = paid_file(vec![detail("TID-2")])
        .lines()
        .map(|line| match line.strip_prefix('D') {
            Some(_) => format!("{}007{}\n", &line[..53], &line[56..]),
            None => format!("{line}\n"),
        })
        .collect();
    fixture.import("elo.txt", of_elo).await;
    assert_eq!(fixture.brand_source(visa).await, "file");
    assert_eq!(fixture.brand_source(elo).await, "buyer");
    let contradiction = format!(
        "SELECT count(*) FROM exception WHERE reason = 'order_brand_differs' AND sale_id = '{}'
            AND reason_parameters ->> 'card_brand' = 'elo' AND reason_parameters ->> 'priced_brand' = 'visa'",
        elo.uuid()
    );
    assert_eq!(fixture.app.count(&contradiction).await, 1);
    let all = "SELECT count(*) FROM exception WHERE reason = 'order_brand_differs'";
    assert_eq!(fixture.app.count(all).await, 1);
}
