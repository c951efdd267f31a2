//! A bank that does not answer for a while.

use super::{PayoutFixture, START_BALANCE, Variables};
use crate::support::sandbox::{free_address, sandbox, sandbox_at};
use crate::support::{PARTS, TestApp};

impl PayoutFixture {
    /// Nothing listens at the bank's address, which is returned too.
    async fn without_bank() -> (Self, std::net::SocketAddr) {
        let (addr, bank) = (free_address(), free_address());
        let variables = Variables {
            sandbox: bank.to_string(),
            gateway: addr.to_string(),
        };
        let app = TestApp::start_with(&variables.each(), PARTS).await;
        let company = app.company("Padaria").await;
        let fixture = Self {
            app,
            company,
            // The gateway does not know this one.
            sandbox: sandbox(addr).await,
            addr,
        };
        fixture.credit(&fixture.company, START_BALANCE).await;
        (fixture, bank)
    }
}

/// After a long outage each order would wait for up to a quarter of an hour.
#[tokio::test]
async fn all_payouts_that_wait_for_a_silent_bank_are_paid_soon_after_it_answers() {
    let (mut fixture, bank) = PayoutFixture::without_bank().await;
    let mut payouts = vec![];
    for reais in 0..10 {
        payouts.push(fixture.withdraw(100_00 + reais * 1_00).await.1);
    }
    fixture.app.until_long_pauses("payout", 10).await;
    fixture.sandbox = sandbox_at(bank, fixture.addr).await;
    for payout_id in payouts {
        fixture.until_payout_is(payout_id, "paid").await;
    }
    fixture.assert_books_agree().await;
    assert_eq!(fixture.app.audit_findings().await, [""; 0]);
}
