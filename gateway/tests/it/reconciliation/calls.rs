//! Imports of acquirers' answers about a day: read page by page, idempotent, and failed if there is no answer.

use std::sync::Mutex;

use async_trait::async_trait;
use gateway_acquirers::calls::{CallFault, CallOutcome};
use gateway_acquirers::charge::{
    Buyer, CardToken, ChargeAnswer, ChargeKey, ChargeOrder, CheckedCard, WholeCharge,
};
use gateway_acquirers::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use gateway_acquirers::payout::{OutgoingPayment, PayoutAnswer};
use gateway_acquirers::port::{Acquirer, CardTokens};
use gateway_acquirers::receivable::{AcquirerReceivable, ReceivablePage};
use ledger_domain::calendar::Date;
use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, PayoutId, SaleId};
use serde_json::{Value, json};

use super::{DUE, SettlementFixture, date};

/// An acquirer that answers only calls for receivables.
struct ReceivablesAcquirer {
    /// The answers to the calls, in turn; after the last one they begin again.
    pages: Vec<CallOutcome<ReceivablePage>>,
    /// The page that each call asked for. `None` is the first page.
    requested_pages: Mutex<Vec<Option<String>>>,
}

const UNKNOWN: ChargeAnswer = CallOutcome::Unknown(CallFault("not_asked"));

#[async_trait]
impl Acquirer for ReceivablesAcquirer {
    fn provider(&self) -> Provider {
        Provider::Zoop
    }

    fn payment_types(&self) -> &'static [PaymentType] {
        &[]
    }

    fn card_tokens(&self) -> Option<CardTokens> {
        None
    }

    fn tells_reversals(&self) -> bool {
        true
    }

    async fn check_card(&self, _token: &CardToken, _buyer: &Buyer) -> Option<CallOutcome<CheckedCard>> {
        None
    }

    async fn charge(&self, _: &ChargeOrder) -> ChargeAnswer {
        UNKNOWN
    }

    async fn look_up(&self, _: &ChargeKey) -> ChargeAnswer {
        UNKNOWN
    }

    async fn capture(&self, _: &WholeCharge) -> ChargeAnswer {
        UNKNOWN
    }

    async fn cancel(&self, _: &ChargeKey) -> ChargeAnswer {
        UNKNOWN
    }

    async fn refund(&self, _: &WholeCharge) -> ChargeAnswer {
        UNKNOWN
    }

    async fn pay_out(&self, _: &OutgoingPayment) -> Option<PayoutAnswer> {
        None
    }

    async fn look_up_payout(&self, _: PayoutId) -> Option<PayoutAnswer> {
        None
    }

    fn read_notice(&self, _: &ReceivedNotice<'_>) -> Result<NoticeHint, NoticeFault> {
        unreachable!("the tests send no notice")
    }

    async fn receivables(&self, _: Date, page: Option<&str>) -> Option<CallOutcome<ReceivablePage>> {
        let mut requested = self.requested_pages.lock().expect("no panic");
        let answer = self.pages.get(requested.len() % self.pages.len()).cloned();
        requested.push(page.map(str::to_owned));
        answer
    }
}

fn receivable(charge_id: &str, sale_id: Option<SaleId>) -> AcquirerReceivable {
    AcquirerReceivable {
        charge_id: charge_id.to_owned(),
        sale_id,
        installment: 1,
        gross: Cents::new(100_00),
        cost: Cents::new(2_50),
        net: Cents::new(97_50),
        expected_on: Some(date(DUE)),
        paid_on: None,
        canceled: false,
    }
}

fn page(receivables: Vec<AcquirerReceivable>, next: Option<&str>) -> CallOutcome<ReceivablePage> {
    CallOutcome::Answered(ReceivablePage {
        receivables,
        unreadable: vec![],
        next: next.map(str::to_owned),
    })
}

impl SettlementFixture {
    /// Asks for the receivables of the day, and returns the import as the API shows it.
    async fn import_receivables(&self, acquirer: &ReceivablesAcquirer) -> Value {
        let job = self.app.app.reconciliation();
        let id = job
            .import_receivables(acquirer, date(DUE))
            .await
            .expect("an import");
        self.get(&format!("imports/{}", id.expect("an id"))).await
    }
}

#[tokio::test]
async fn an_acquirer_s_answer_is_imported_page_by_page_and_repeated_without_a_change() {
    let fixture = SettlementFixture::open().await;
    fixture.card_sale("TID-1").await;
    fixture.until_projected().await;
    let sale = fixture.app.app.state.ids.sale(Provider::Zoop, "TID-1");
    let acquirer = ReceivablesAcquirer {
        pages: vec![
            page(vec![receivable("ch_1", Some(sale))], Some("2")),
            page(vec![receivable("ch_2", None)], None),
        ],
        requested_pages: Mutex::default(),
    };
    // The first import stores both rows; the second changes none.
    for changed in [2, 0] {
        let import = fixture.import_receivables(&acquirer).await;
        assert_eq!(
            (
                &import["state"],
                &import["source"],
                &import["day"],
                &import["records_changed"]
            ),
            (
                &json!("done"),
                &json!("receivables"),
                &json!(DUE),
                &json!(changed)
            ),
            "{import}"
        );
    }
    assert_eq!(
        *acquirer.requested_pages.lock().expect("no panic"),
        [None, Some("2".to_owned()), None, Some("2".to_owned())]
    );
    assert_eq!(
        fixture.differences("").await,
        [json!(["unknown", "ch_2", 100_00, "open"])]
    );
}

#[tokio::test]
async fn an_unreadable_item_and_a_lost_answer_are_shown_in_the_import() {
    let fixture = SettlementFixture::open().await;
    let damaged = CallOutcome::Answered(ReceivablePage {
        receivables: vec![receivable("ch_3", None)],
        unreadable: vec![2],
        next: None,
    });
    let damaged = ReceivablesAcquirer {
        pages: vec![damaged],
        requested_pages: Mutex::default(),
    };
    let import = fixture.import_receivables(&damaged).await;
    assert_eq!(
        (&import["state"], &import["records_changed"], &import["bad_lines"]),
        (&json!("done"), &json!(1), &json!(1))
    );
    assert_eq!(
        (&import["bad"][0]["line"], &import["bad"][0]["reason"]),
        (&json!(2), &json!("unreadable_item")),
        "{import}"
    );
    let silent = ReceivablesAcquirer {
        pages: vec![CallOutcome::Unknown(CallFault("timeout"))],
        requested_pages: Mutex::default(),
    };
    let import = fixture.import_receivables(&silent).await;
    assert_eq!(
        (&import["state"], &import["failure"]),
        (&json!("failed"), &json!("no_answer"))
    );
}
