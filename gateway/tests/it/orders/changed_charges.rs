//! What happens to a charge after its payment, at each acquirer: every state that a look-up brings becomes a fact, or
//! staff see it.

use gateway_acquirers::ACQUIRERS;
use gateway_platform::orders::HintOutcome;
use ledger_domain::SaleId;
use ledger_domain::sale::{Provider, SaleStatus};
use ledger_store::log;
use serde_json::json;

use super::{OrderFixture, PRICE, pix};
use crate::support::PARTS_AND_SANDBOX;

/// A paid PIX at an acquirer.
struct PaidCharge {
    fixture: OrderFixture,
    provider: Provider,
    sale_id: SaleId,
}

impl PaidCharge {
    /// At the only acquirer of the program.
    async fn at(provider: Provider) -> Self {
        let urls = ACQUIRERS.map(|registration| {
            let is_charged = registration.contract.provider == provider;
            let url = if is_charged { "sandbox" } else { "none" };
            (registration.contract.variable("URL"), url)
        });
        let variables = urls.each_ref().map(|(name, url)| (name.as_str(), *url));
        let fixture = OrderFixture::open_with(&variables, PARTS_AND_SANDBOX).await;
        let link = fixture.link(json!({})).await;
        let order = fixture.placed(&link, pix(PRICE)).await;
        fixture.until_attempt_is(&order, "to_pay").await;
        let sale_id = fixture.sale(&order, 1).await;
        let paid = Self {
            fixture,
            provider,
            sale_id,
        };
        assert_eq!(paid.after("pay").await, SaleStatus::Succeeded);
        paid
    }

    /// The sale's status after a change of its charge.
    async fn after(&self, change: &str) -> SaleStatus {
        let changed = self.fixture.change_charge(self.sale_id, change).await;
        assert_eq!(changed.status, 200, "{change}: {}", changed.body);
        // Acquirers report a change more than once.
        for _ in 0..2 {
            let hinted = self.fixture.hint_by(self.provider, self.sale_id).await;
            assert_eq!(hinted, HintOutcome::Handled, "{change} at {:?}", self.provider);
        }
        self.status().await
    }

    async fn status(&self) -> SaleStatus {
        let client = self.fixture.links.app.database.client().await;
        let states = log::sale_states(&client, &[self.sale_id])
            .await
            .expect("the sale");
        states.first().expect("a sale").1.state.status
    }

    async fn exceptions(&self) -> Vec<String> {
        let client = self.fixture.links.app.database.client().await;
        let rows = client
            .query("SELECT reason FROM exception ORDER BY id", &[])
            .await
            .expect("the queue");
        rows.iter().map(|row| row.get(0)).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dispute_is_won_and_another_one_lost_at_every_acquirer() {
    for registration in ACQUIRERS {
        let provider = registration.contract.provider;
        let paid = PaidCharge::at(provider).await;
        assert_eq!(paid.after("dispute").await, SaleStatus::Dispute);
        assert_eq!(
            paid.after("win-dispute").await,
            SaleStatus::Succeeded,
            "{provider:?}"
        );
        let app = &paid.fixture.links.app;
        assert_eq!(app.count_events("DisputeWon").await, 1);
        assert_eq!(paid.after("dispute").await, SaleStatus::Dispute, "a second one");
        assert_eq!(paid.after("charge-back").await, SaleStatus::ChargedBack);
        assert_eq!(app.count_events("SaleDisputed").await, 2);
        assert_eq!(app.count_events("SaleChargedBack").await, 1);
        assert_eq!(paid.exceptions().await, [""; 0], "{provider:?}");
        // The money of a lost dispute came back: the ledger has no event for that.
        assert_eq!(paid.after("win-dispute").await, SaleStatus::ChargedBack);
        assert_eq!(paid.exceptions().await, ["charge_contradicts"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_that_its_acquirer_reversed_is_recorded_as_reversed() {
    for registration in ACQUIRERS {
        let provider = registration.contract.provider;
        let paid = PaidCharge::at(provider).await;
        assert_eq!(paid.after("reverse").await, SaleStatus::Reversed, "{provider:?}");
        assert_eq!(paid.exceptions().await, [""; 0]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refund_of_a_part_and_an_unknown_status_wait_for_staff() {
    for registration in ACQUIRERS {
        let provider = registration.contract.provider;
        for change in ["refund-part", "unlist"] {
            let paid = PaidCharge::at(provider).await;
            assert_eq!(paid.after(change).await, SaleStatus::Succeeded);
            let partly = change == "refund-part" && provider != Provider::Barte;
            let reason = if partly {
                "charge_partly_refunded"
            } else {
                "charge_status_unlisted"
            };
            assert_eq!(paid.exceptions().await, [reason], "{change} at {provider:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_part_is_recorded_by_the_sum_that_its_acquirer_shows() {
    let paid = PaidCharge::at(Provider::Valori).await;
    let app = &paid.fixture.links.app;
    for (refunded, parts) in [(10_00, 1), (10_01, 2)] {
        assert_eq!(
            paid.after(&format!("refund-part?amount={refunded}")).await,
            SaleStatus::Succeeded
        );
        assert_eq!(app.count_events("SalePartRefunded").await, parts);
    }
    let client = app.database.client().await;
    let states = log::sale_states(&client, &[paid.sale_id])
        .await
        .expect("the sale");
    assert_eq!(states[0].1.state.refunded.get(), 20_01);
    let rest = format!("refund-part?amount={}", PRICE - 20_01);
    assert_eq!(paid.after(&rest).await, SaleStatus::Refunded);
    assert_eq!(paid.exceptions().await, [""; 0]);
}
