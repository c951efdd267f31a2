//! Refunds of sales that the platform charged itself, through the adapter of their acquirer.

use gateway::app::Parts;
use gateway_acquirers::calls::CallAnswer;
use gateway_acquirers::charge::{Buyer, CardToken, Charge, ChargeKey, ChargeOrder, ChargeState, Means};
use gateway_acquirers::port::Acquirer;
use gateway_platform::effects::refunds::{RefundState, RefundStatus, of_sale};
use gateway_platform::providers::SIGNATURE_HEADER;
use gateway_platform::providers::sign;
use ledger_domain::business::{BusinessCommand, CancelSale, MakeManualTransfer};
use ledger_domain::documents::Document;
use ledger_domain::sale::Provider;
use ledger_domain::transfer::Direction;
use ledger_domain::{Cents, SaleId, TransferId};
use serde_json::json;
use uuid::Uuid;

use crate::support::acquirer::{SECRET, capture};
use crate::support::sandbox::{free_address, sandbox};
use crate::support::wait::until_some;
use crate::support::{Client, Company, TestApp};

struct Fixture {
    app: TestApp,
    company: Company,
    sandbox: gateway_dev::sandbox::Sandbox,
}

impl Fixture {
    async fn open() -> Self {
        let addr = free_address();
        let sandbox = sandbox(addr).await;
        let sandbox_addr = sandbox.addr.to_string();
        let variables = [
            ("RAZAO_ADDR", &*addr.to_string()),
            ("RAZAO_SANDBOX_ADDR", &*sandbox_addr),
            ("RAZAO_PROVIDER_VALORI_SECRETS", SECRET),
            ("RAZAO_ACQUIRER_VALORI_TIMEOUT_MS", "1000"),
            // Refunds of charges do not need the provider of other refunds.
            ("RAZAO_REFUNDS", "none"),
        ];
        let parts = Parts {
            settlement: false,
            sandbox: false,
            ..Parts::ALL
        };
        let app = TestApp::start_with(&variables, parts).await;
        let company = app.company("Padaria").await;
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

    fn valori(&self) -> &dyn Acquirer {
        self.app.app.state.acquirers.of(Provider::Valori).expect("Valori")
    }

    /// A sale that the acquirer charged for an order of a payment link, and that the ledger knows as captured.
    async fn charged(&self, amount: i64) -> SaleId {
        let external_id = Uuid::new_v4().to_string();
        let sale_id = self.app.app.state.ids.sale(Provider::Valori, &external_id);
        let token = json!({
            "number": "4242424242424242", "holder": "ANA SOUZA", "month": "12", "year": "2030", "security_code": "123",
        });
        let token = Client::new(self.sandbox.addr)
            .post("/own/card-tokens", token)
            .await;
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
            means: Means::Card {
                token: CardToken(token.text("/token").to_owned()),
                installments: 3,
                return_url: "http://localhost/".to_owned(),
            },
            notice_url: None,
        };
        let CallAnswer::Answered(charge) = self.valori().charge(&order).await else {
            panic!("no charge");
        };
        assert_eq!(charge.state, ChargeState::Paid);
        let mut notice = capture(&self.company, &external_id);
        notice.data.amount = amount;
        let (body, now) = (notice.to_json(), chrono::Utc::now().timestamp());
        let signature = sign(SECRET.as_bytes(), now, body.as_bytes());
        let signed = self.app.client().with(SIGNATURE_HEADER, &signature);
        let recorded = signed
            .post_text("/api/webhooks/valori", "application/json", &body)
            .await;
        assert_eq!(recorded.text("/result"), "recorded", "{}", recorded.body);
        self.order(sale_id, &charge, amount).await;
        sale_id
    }

    /// The rows of an order that was paid.
    async fn order(&self, sale_id: SaleId, charge: &Charge, amount: i64) {
        let (sale, company, charge) = (sale_id.uuid(), self.company.id.uuid(), &charge.acquirer_id);
        let code = &Uuid::new_v4().simple().to_string().to_uppercase()[..12];
        let reference = &code[..10];
        self.app
            .execute(&format!(
                "INSERT INTO payment_link (id, business_id, code, description, payment_types, installments_max, payer,
                                           uses, active, created_at, updated_at)
                 VALUES ('{sale}', '{company}', '{code}', 'Bolo', '{{credit}}', 3, 'seller', 1, true, now(), now());
                 INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key,
                                         status, created_at, paid_at, ended_at)
                 VALUES ('{sale}', '{reference}', '{sale}', '{company}', 'Bolo', {amount}, 'http://localhost',
                         sha256('{sale}'), 'paid', now(), now(), now());
                 INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type, installments,
                                            total, card_brand, ordered_at, expires_at, acquirer_id, status, next_try_at,
                                            ended_at)
                 VALUES ('{sale}', '{sale}', 1, '{company}', 4, 'credit', 3, {amount}, 'visa', now(),
                         now() + interval '30 minutes', '{charge}', 'paid', NULL, now());"
            ))
            .await;
    }

    async fn cancel(&self, sale_id: SaleId) {
        let cancel = BusinessCommand::CancelSale(CancelSale {
            sale_id,
            occurred_at: self.app.app.state.clock.now(),
            reason: None,
        });
        self.app.submit(&self.company, cancel).await;
    }

    async fn becomes(&self, sale_id: SaleId, status: RefundStatus) -> RefundState {
        let client = self.app.database.client().await;
        until_some(&format!("a refund that is {status:?}"), async || {
            let refund = of_sale(&client, sale_id).await.expect("the refunds")?;
            (refund.status == status).then_some(refund)
        })
        .await
    }

    async fn at_the_acquirer(&self, sale_id: SaleId) -> ChargeState {
        let key = ChargeKey {
            sale_id,
            acquirer_id: None,
        };
        match self.valori().look_up(&key).await {
            CallAnswer::Answered(charge) => charge.state,
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_charge_of_a_canceled_sale_is_returned_once_or_refused_to_staff() {
    let fixture = Fixture::open().await;
    let mut sales = vec![];
    for cents in [0, 12, 13, 11] {
        sales.push((cents, fixture.charged(300_00 + cents).await));
    }
    for (_, sale) in &sales {
        fixture.cancel(*sale).await;
    }
    for (cents, sale) in &sales[..3] {
        let refund = fixture.becomes(*sale, RefundStatus::Done).await;
        // After a time-out and a failed call the charge is looked up, and is returned already.
        assert_eq!(refund.tries > 1, *cents != 0, "{cents}: {refund:?}");
        assert_eq!(
            fixture.at_the_acquirer(*sale).await,
            ChargeState::Refunded,
            "{cents}"
        );
    }
    let (_, refused) = sales[3];
    let refund = fixture.becomes(refused, RefundStatus::Refused).await;
    assert_eq!(
        refund.reason.as_deref(),
        Some("Recusado pela adquirente (not_taken)")
    );
    assert_eq!(fixture.at_the_acquirer(refused).await, ChargeState::Paid);
    let waiting = "SELECT count(*) FROM exception WHERE reason = 'refund_refused' AND status = 'waiting'";
    assert_eq!(fixture.app.count(waiting).await, 1);
    assert_eq!(
        fixture
            .app
            .count("SELECT count(*) FROM refund WHERE charged")
            .await,
        4
    );
    // The sandbox's other refunds were never asked.
    let others = Client::new(fixture.sandbox.addr).get("/sandbox/refunds").await;
    assert_eq!(others.body, json!([]));
}
