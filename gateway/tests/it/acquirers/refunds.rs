//! Refunds of sales that the platform charged itself, through the adapter of their acquirer.

use chrono::TimeDelta;
use futures::future::join_all;
use gateway_acquirers::ACQUIRERS;
use gateway_acquirers::calls::CallOutcome;
use gateway_acquirers::charge::{Buyer, CardToken, ChargeKey, ChargeOrder, ChargeState, PaymentMethod};
use gateway_acquirers::port::Acquirer;
use gateway_identity::roles::{AdminRole, SellerRole};
use gateway_platform::effects::refunds::{RefundState, RefundStatus, of_sale};
use gateway_platform::providers::{CanonicalSale, SIGNATURE_HEADER, sign};
use ledger_domain::business::{BusinessCommand, CancelSale, MakeManualTransfer, RefundPart};
use ledger_domain::documents::Document;
use ledger_domain::sale::{PaymentType, Provider, RefundReference};
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, SaleId, TransferId};
use serde_json::json;
use uuid::Uuid;

use crate::support::acquirer::{SECRET, capture};
use crate::support::orders::PaidOrder;
use crate::support::sandbox::{free_address, sandbox};
use crate::support::wait::until_some;
use crate::support::{Client, Company, PARTS, TestApp};

/// The cents of an amount select how the sandbox answers the charge's refund (`ChargeBehavior`).
const REFUND_SUCCEEDS: i64 = 0;
const REFUND_IS_REFUSED: i64 = 11;
const REFUND_CALL_TIMES_OUT_ONCE: i64 = 12;
const REFUND_CALL_BREAKS_ONCE: i64 = 13;

struct RefundFixture {
    app: TestApp,
    company: Company,
    sandbox: gateway_dev::sandbox::Sandbox,
}

impl RefundFixture {
    async fn open() -> Self {
        let addr = free_address();
        let sandbox = sandbox(addr).await;
        let sandbox_addr = sandbox.addr.to_string();
        let addr_text = addr.to_string();
        let of_acquirers: Vec<(String, &str)> = ACQUIRERS
            .iter()
            .flat_map(|registration| {
                let name = registration.contract.provider.slug().to_ascii_uppercase();
                [
                    (format!("RAZAO_PROVIDER_{name}_SECRETS"), SECRET),
                    (registration.contract.variable("URL"), "sandbox"),
                    (registration.contract.variable("TIMEOUT_MS"), "1000"),
                ]
            })
            .collect();
        let mut variables = vec![
            ("RAZAO_ADDR", addr_text.as_str()),
            ("RAZAO_SANDBOX_ADDR", &*sandbox_addr),
            // Acquirers refund their charges without this provider, which is for other sales.
            ("RAZAO_REFUNDS", "none"),
        ];
        variables.extend(of_acquirers.iter().map(|(name, value)| (name.as_str(), *value)));
        let parts = PARTS;
        let app = TestApp::start_with(&variables, parts).await;
        let company = app.company("Padaria").await;
        // A cancel needs the sale's net as available balance, also before the sale is settled.
        let credit = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
            transfer_id: TransferId::from_uuid(Uuid::now_v7()),
            direction: Direction::In,
            amount: Cents::new(1_000_000_00),
            description: "Crédito de teste".to_owned(),
            allow_negative: false,
            occurred_at: app.app.state.clock.now(),
        });
        app.submit(&company, credit).await;
        Self {
            app,
            company,
            sandbox,
        }
    }

    fn acquirer(&self, provider: Provider) -> &dyn Acquirer {
        self.app.app.state.acquirers.of(provider).expect("the acquirer")
    }

    /// A payment in three installments by a card whose token the buyer's browser got from the sandbox.
    async fn card_payment(&self) -> PaymentMethod {
        let card = json!({
            "number": "4242424242424242", "holder": "ANA SOUZA", "month": "12", "year": "2030", "security_code": "123",
        });
        let token = Client::new(self.sandbox.addr)
            .post("/own/card-tokens", card)
            .await;
        PaymentMethod::Card {
            token: CardToken(token.text("/token").to_owned()),
            installments: 3,
            return_url: "http://localhost/".to_owned(),
        }
    }

    /// A sale that the acquirer charged for an order of a payment link, and that is captured in the ledger.
    async fn charged_sale(&self, provider: Provider, payment_method: PaymentMethod, amount: i64) -> SaleId {
        let external_id = Uuid::new_v4().to_string();
        let sale_id = self.app.app.state.ids.sale(provider, &external_id);
        let is_card = matches!(payment_method, PaymentMethod::Card { .. });
        let order = ChargeOrder {
            sale_id,
            amount: Cents::new(amount),
            description: "Bolo".to_owned(),
            statement_descriptor: "PADARIA".to_owned(),
            buyer: Buyer {
                name: "Ana Souza".to_owned(),
                document: Document::parse("52998224725").expect("a CPF"),
                email: "ana@exemplo.com.br".to_owned(),
                phone: "11987654321".to_owned(),
                address: None,
            },
            payment_method,
            notice_url: None,
        };
        let CallOutcome::Answered(charge) = self.acquirer(provider).charge(&order).await else {
            panic!("no charge");
        };
        if !is_card {
            let pay = format!("/sandbox/charges/{}/pay", charge.charge_id);
            let paid = Client::new(self.sandbox.addr).post(&pay, json!({})).await;
            assert_eq!(paid.status, 200, "{}", paid.body);
        }
        let charge_id = Some(&*charge.charge_id);
        assert_eq!(
            self.acquirer_state(provider, sale_id, charge_id).await,
            ChargeState::Paid
        );
        let mut notice = capture(&self.company, &external_id);
        notice.data.amount = amount;
        if !is_card {
            notice.data = CanonicalSale {
                payment_type: "pix",
                card_brand: None,
                card_last_four: None,
                authorization_code: None,
                installments: 1,
                ..notice.data
            };
        }
        let (body, now) = (notice.to_json(), chrono::Utc::now().timestamp());
        let signature = sign(SECRET.as_bytes(), now, body.as_bytes());
        let signed = self.app.client().with(SIGNATURE_HEADER, &signature);
        let path = format!("/api/webhooks/{}", provider.slug());
        let recorded = signed.post_text(&path, "application/json", &body).await;
        assert_eq!(recorded.text("/result"), "recorded", "{}", recorded.body);
        let paid_order = PaidOrder {
            sale_id,
            provider,
            payment_type: if is_card {
                PaymentType::Credit
            } else {
                PaymentType::Pix
            },
            installments: if is_card { 3 } else { 1 },
            amount: Cents::new(amount),
            charge_id,
        };
        self.app.paid_order(&self.company, &paid_order).await;
        sale_id
    }

    async fn cancel(&self, sale_id: SaleId) {
        let cancel = BusinessCommand::CancelSale(CancelSale {
            sale_id,
            occurred_at: self.app.app.state.clock.now(),
            reason: None,
        });
        self.app.submit(&self.company, cancel).await;
    }

    async fn refund_part(&self, sale_id: SaleId, amount: i64) {
        let part = BusinessCommand::RefundPart(RefundPart {
            sale_id,
            refund: RefundReference::parse(&format!("panel_{amount}")).expect("an id"),
            amount: Cents::new(amount),
            occurred_at: self.app.app.state.clock.now(),
            reason: None,
        });
        self.app.submit(&self.company, part).await;
    }

    async fn wait_for_refund(&self, sale_id: SaleId, status: RefundStatus) -> RefundState {
        let client = self.app.database.client().await;
        until_some(&format!("a refund that is {status:?}"), async || {
            let refund = of_sale(&client, sale_id).await.expect("the refunds").pop()?;
            (refund.status == status).then_some(refund)
        })
        .await
    }

    async fn acquirer_state(
        &self,
        provider: Provider,
        sale_id: SaleId,
        charge_id: Option<&str>,
    ) -> ChargeState {
        let key = ChargeKey {
            sale_id,
            charge_id: charge_id.map(str::to_owned),
        };
        match self.acquirer(provider).look_up(&key).await {
            CallOutcome::Answered(charge) => charge.state,
            other => panic!("{other:?}"),
        }
    }

    /// Cancels one sale for each of the four behaviors, and checks their refunds at the acquirer and here.
    async fn check_refunds_of(&self, provider: Provider) {
        let mut sales = vec![];
        for cents in [
            REFUND_SUCCEEDS,
            REFUND_CALL_TIMES_OUT_ONCE,
            REFUND_CALL_BREAKS_ONCE,
            REFUND_IS_REFUSED,
        ] {
            let payment_method = match provider {
                Provider::Valori => self.card_payment().await,
                _ => PaymentMethod::Pix {
                    expires_at: self.app.app.state.clock.now() + TimeDelta::minutes(30),
                },
            };
            sales.push((
                cents,
                self.charged_sale(provider, payment_method, 300_00 + cents).await,
            ));
        }
        for (_, sale) in &sales {
            self.cancel(*sale).await;
        }
        let Some(((_, refused), returned)) = sales.split_last() else {
            panic!("four sales")
        };
        for (cents, sale) in returned {
            let refund = self.wait_for_refund(*sale, RefundStatus::Done).await;
            // After a time-out or a failed call, the next try looks the charge up and finds it refunded.
            assert_eq!(
                refund.tries > 1,
                *cents != REFUND_SUCCEEDS,
                "{provider:?} {cents}: {refund:?}"
            );
            assert_eq!(
                self.acquirer_state(provider, *sale, None).await,
                ChargeState::Refunded,
                "{provider:?} {cents}"
            );
        }
        let refund = self.wait_for_refund(*refused, RefundStatus::Refused).await;
        let reason = match provider {
            Provider::Valori => "Recusado pela adquirente (not_taken)",
            _ => "Recusado pela adquirente (not_refundable)",
        };
        assert_eq!(refund.reason.as_deref(), Some(reason), "{provider:?}");
        assert_eq!(
            self.acquirer_state(provider, *refused, None).await,
            ChargeState::Paid
        );
    }
}

#[tokio::test]
async fn the_acquirer_refunds_the_charge_of_a_canceled_sale_and_a_refusal_waits_for_staff() {
    let fixture = RefundFixture::open().await;
    let providers = ACQUIRERS
        .iter()
        .map(|registration| registration.contract.provider);
    join_all(providers.map(|provider| fixture.check_refunds_of(provider))).await;
    let acquirers = ACQUIRERS.len() as i64;
    let waiting = "SELECT count(*) FROM exception WHERE reason = 'refund_refused' AND status = 'waiting'";
    assert_eq!(
        fixture.app.count(waiting).await,
        acquirers,
        "one for each acquirer"
    );
    assert_eq!(
        fixture
            .app
            .count("SELECT count(*) FROM refund WHERE charged")
            .await,
        4 * acquirers,
        "four sales for each acquirer"
    );
}

#[tokio::test]
async fn parts_go_back_by_the_contract_of_the_acquirer_until_nothing_is_left() {
    let fixture = RefundFixture::open().await;
    let pix = || PaymentMethod::Pix {
        expires_at: fixture.app.app.state.clock.now() + TimeDelta::minutes(30),
    };
    // The own contract takes keys, so a lost answer does no harm.
    for (provider, amount) in [
        (Provider::Zoop, 300_00),
        (Provider::Valori, 300_00 + REFUND_CALL_TIMES_OUT_ONCE),
    ] {
        let sale = fixture.charged_sale(provider, pix(), amount).await;
        fixture.refund_part(sale, 100_00).await;
        fixture.wait_for_refund(sale, RefundStatus::Done).await;
        let state = fixture.acquirer_state(provider, sale, None).await;
        assert_eq!(state, ChargeState::PartlyRefunded, "{provider:?}");
        fixture.cancel(sale).await;
        let open = "SELECT count(*) FROM refund WHERE status <> 'done'";
        let rest = format!("SELECT count(*) FROM refund WHERE sale_id = '{}'", sale.uuid());
        fixture.app.until_count(&rest, 2).await;
        fixture.app.until_count(open, 0).await;
        let state = fixture.acquirer_state(provider, sale, None).await;
        assert_eq!(state, ChargeState::Refunded, "{provider:?}");
    }
    assert_eq!(fixture.app.count_events("RefundAnswered").await, 2);
    assert_eq!(fixture.app.count("SELECT count(*) FROM exception").await, 0);
}

#[tokio::test]
async fn the_page_of_a_sale_shows_each_refund_with_its_state() {
    let fixture = RefundFixture::open().await;
    let pix = PaymentMethod::Pix {
        expires_at: fixture.app.app.state.clock.now() + TimeDelta::minutes(30),
    };
    // Zoop refuses nothing and takes no keys, so the lost answer of the first part goes to staff.
    let amount = 300_00 + REFUND_CALL_TIMES_OUT_ONCE;
    let sale = fixture.charged_sale(Provider::Zoop, pix, amount).await;
    fixture.refund_part(sale, 100_00).await;
    fixture.wait_for_refund(sale, RefundStatus::Refused).await;
    fixture.refund_part(sale, 50_00).await;
    let done = "SELECT count(*) FROM refund WHERE status = 'done'";
    fixture.app.until_count(done, 1).await;
    let app = &fixture.app;
    let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
    let owner = app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let seller = app.sign_in(&owner).await;
    for (client, path) in [
        (&staff, "/api/admin/transactions"),
        (&seller, "/api/transactions"),
    ] {
        let shown = client.get(&format!("{path}/{sale}")).await;
        let refunds: Vec<_> = shown
            .at("/refunds")
            .as_array()
            .expect("refunds")
            .iter()
            .map(|refund| {
                (
                    refund["id"].clone(),
                    refund["amount"].clone(),
                    refund["status"].clone(),
                )
            })
            .collect();
        assert_eq!(
            refunds,
            [
                (json!("panel_10000"), json!(100_00), json!("refused")),
                (json!("panel_5000"), json!(50_00), json!("done")),
            ],
            "{path}: {}",
            shown.body
        );
        assert!(shown.at("/refunds/0/author").is_object(), "{}", shown.body);
    }
}

#[tokio::test]
async fn a_part_without_an_answer_goes_to_staff_if_the_contract_has_no_keys() {
    let fixture = RefundFixture::open().await;
    let pix = PaymentMethod::Pix {
        expires_at: fixture.app.app.state.clock.now() + TimeDelta::minutes(30),
    };
    let amount = 300_00 + REFUND_CALL_TIMES_OUT_ONCE;
    let sale = fixture.charged_sale(Provider::Zoop, pix, amount).await;
    fixture.refund_part(sale, 100_00).await;
    let refund = fixture.wait_for_refund(sale, RefundStatus::Refused).await;
    let reason = refund.reason.expect("a reason");
    assert!(reason.contains("Confira na adquirente"), "{reason}");
    let waiting = "SELECT count(*) FROM exception WHERE reason = 'refund_refused' AND status = 'waiting'";
    assert_eq!(fixture.app.count(waiting).await, 1);
}

#[tokio::test]
async fn the_panel_refuses_a_part_that_the_acquirer_does_not_give_back() {
    let fixture = RefundFixture::open().await;
    let pix = || PaymentMethod::Pix {
        expires_at: fixture.app.app.state.clock.now() + TimeDelta::minutes(30),
    };
    let owner = fixture.app.seller(&[(&fixture.company, SellerRole::Owner)]).await;
    let seller = fixture.app.sign_in(&owner).await;
    for (provider, refusal) in [
        (
            Provider::Barte,
            Some(
                "A adquirente Barte não estorna uma parte de vendas por PIX: só é possível cancelar a venda inteira.",
            ),
        ),
        (
            Provider::Iugu,
            Some(
                "A adquirente Iugu não estorna uma parte de vendas por PIX: só é possível cancelar a venda inteira.",
            ),
        ),
        (Provider::Zoop, None),
    ] {
        let sale = fixture.charged_sale(provider, pix(), 300_00).await;
        let path = format!("/api/transactions/{sale}/chargeback");
        let preview = seller.get(&format!("{path}/preview")).await;
        assert_eq!(preview.at("/parts_refused"), &json!(refusal), "{}", preview.body);
        let part = seller.get(&format!("{path}/preview?amount=10000")).await;
        let answer = seller.post(&path, json!({ "amount": 100_00 })).await;
        let Some(refusal) = refusal else {
            assert_eq!((part.status, answer.status), (200, 200), "{}", answer.body);
            continue;
        };
        for refused in [part, answer] {
            assert_eq!(
                (refused.status, refused.text("/errors/amount/0")),
                (422, refusal),
                "{}",
                refused.body
            );
        }
        let whole = seller.post(&path, json!({ "amount": 300_00 })).await;
        assert_eq!((whole.status, whole.text("/status")), (200, "canceled"));
    }
    assert_eq!(fixture.app.count_events("SalePartRefunded").await, 1);
}
