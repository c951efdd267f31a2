//! Withdrawals that an acquirer pays instead of a bank, from the platform's account at the acquirer.

use serde_json::Value;

use super::{FEE, PayoutFixture, START_BALANCE, variables};
use crate::support::sandbox::{free_address, sandbox};
use crate::support::{Client, PARTS, TestApp};

/// `sandbox:` in base64: a key that the sandbox takes.
const KEY: &str = "Basic c2FuZGJveDo=";

impl PayoutFixture {
    async fn of_iugu() -> Self {
        let addr = free_address();
        let sandbox = sandbox(addr).await;
        let by_iugu = [
            ("RAZAO_PAYOUTS", "iugu"),
            ("RAZAO_ACQUIRER_IUGU_URL", "sandbox"),
            ("RAZAO_ACQUIRER_IUGU_TIMEOUT_MS", "300"),
        ];
        let variables = variables(&sandbox, addr);
        let all = [&variables.each()[..], &by_iugu].concat();
        let app = TestApp::start_with(&all, PARTS).await;
        let company = app.company("Padaria").await;
        let fixture = Self {
            app,
            company,
            sandbox,
            addr,
        };
        fixture.credit(&fixture.company, START_BALANCE).await;
        fixture
    }

    /// The transfers in Iugu's own book, newest first.
    async fn iugu_transfers(&self) -> Vec<Value> {
        let client = Client::new(self.sandbox.addr).with("authorization", KEY);
        let path = "/iugu/v1/transfer_requests?start=0&limit=100";
        let listed = client.get(path).await;
        listed.body["items"].as_array().expect("transfers").clone()
    }
}

#[tokio::test]
async fn iugu_pays_each_withdrawal_once_also_if_its_answer_is_lost() {
    let fixture = PayoutFixture::of_iugu().await;
    let mut expected = vec![];
    // Paid; failed; lost answer; lost request; paid, but answered with a server error.
    for (net, payout, transfer, at_iugu) in [
        (100_00, "paid", "approved", "done"),
        (100_01, "failed", "failed", "rejected"),
        (100_02, "paid", "approved", "done"),
        (100_05, "paid", "approved", "done"),
        (100_09, "paid", "approved", "done"),
    ] {
        let (transfer_id, payout_id) = fixture.withdraw(net).await;
        fixture.until_payout_is(payout_id, payout).await;
        assert_eq!(fixture.transfer_status(transfer_id).await, transfer, "{net}");
        expected.push((payout_id.to_string(), net, at_iugu));
    }
    // Iugu lists the newest first.
    expected.reverse();
    let transfers = fixture.iugu_transfers().await;
    let found: Vec<_> = transfers
        .iter()
        .map(|transfer| {
            let text = |field: &str| transfer[field].as_str().unwrap_or_default();
            (
                text("external_reference").to_owned(),
                transfer["amount_cents"].as_i64().unwrap_or_default(),
                text("status"),
            )
        })
        .collect();
    assert_eq!(found, expected);
    let paid = 100_00 + 100_02 + 100_05 + 100_09 + 4 * FEE;
    assert_eq!(fixture.available(&fixture.company).await, START_BALANCE - paid);
    assert!(fixture.book().await.is_empty(), "nothing went to the bank");
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}
