//! The buyers of payment links: their data and erasing them, their e-mails, and card testing.

mod card_testing;
mod emails;
mod erasing;

use gateway_identity::roles::{AdminRole, SellerRole};
use ledger_domain::sale::Provider;
use ledger_domain::{PaymentLinkId, SaleId};
use uuid::Uuid;

use crate::support::acquirer::SECRETS;
use crate::support::{Client, Company, PARTS, Sale, TestApp, User};

/// The data of the only buyer. `assert_no_trace` searches every row for these texts.
const NAME: &str = "Marina Quaresma";
const DOCUMENT: &str = "11144477735";
const MASKED_DOCUMENT: &str = "111.444.777-35";
const EMAIL: &str = "marina@quaresma.example";
const PHONE: &str = "11987654321";
const STREET: &str = "Rua Quaresma";
const BUYER: [&str; 6] = [NAME, DOCUMENT, MASKED_DOCUMENT, EMAIL, PHONE, STREET];

/// A bakery with a link, its signed-in owner, and staff.
struct BuyerFixture {
    app: TestApp,
    bakery: Company,
    owner: User,
    /// The client of `owner`.
    seller: Client,
    staff: Client,
    link: PaymentLinkId,
}

/// An order of the buyer, and the sale of its only attempt.
struct Order {
    id: Uuid,
    reference: String,
    sale: Sale,
}

impl Order {
    fn sale_id(&self) -> SaleId {
        self.sale.facts.sale_id
    }
}

impl BuyerFixture {
    async fn open() -> Self {
        let parts = PARTS;
        let app = TestApp::start_with(&[SECRETS], parts).await;
        let bakery = app.company("Padaria").await;
        let owner = app.seller(&[(&bakery, SellerRole::Owner)]).await;
        let seller = app.sign_in(&owner).await;
        let staff = app.sign_in(&app.admin(&[AdminRole::Admin]).await).await;
        let link = PaymentLinkId::from_uuid(Uuid::from_u128(0x11_4a));
        app.execute(&format!(
            "INSERT INTO payment_link (id, business_id, code, description, amount, payment_types, installments_max,
                                       payer, active, created_at, updated_at)
             VALUES ('{}', '{}', '2F6F4F5A1B0B', 'Bolo de chocolate', 30000, '{{credit,pix,boleto}}', 3, 'seller',
                     true, now(), now())",
            link.uuid(),
            bakery.id.uuid()
        ))
        .await;
        Self {
            app,
            bakery,
            owner,
            seller,
            staff,
            link,
        }
    }

    /// An open order with a PIX code to pay, and its sale in the ledger.
    async fn order(&self, number: u128) -> Order {
        let mut sale = Sale::pix().amount(300_00);
        sale.facts.sale_id = SaleId::from_uuid(Uuid::from_u128(0x5a1e << 64 | number));
        sale.facts.external_id = format!("ext-{number}");
        sale.facts.provider = Provider::Zoop;
        let at = self.app.app.state.clock.now().to_rfc3339();
        let (id, sale_id) = (Uuid::from_u128(0x0dde << 64 | number), sale.facts.sale_id.uuid());
        let reference = format!("7Q2M4Z9X{number:02}");
        self.app.create_sale(&self.bakery, &sale).await;
        let link = self.link.uuid();
        let business = self.bakery.id.uuid();
        let panel = format!("http://localhost:{}", self.app.addr().port());
        self.app
            .execute(&format!(
                "INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url,
                                         request_key, created_at)
                 VALUES ('{id}', '{reference}', '{link}', '{business}', 'Bolo de chocolate', 30000, '{panel}',
                         sha256('{reference}'), '{at}');
                 INSERT INTO order_buyer (order_id, name, document, email, phone, postal_code, street, number,
                                          district, city, state, request_hash)
                 VALUES ('{id}', '{NAME}', '{DOCUMENT}', '{EMAIL}', '{PHONE}', '01001000', '{STREET}', '10', 'Centro',
                         'São Paulo', 'SP', sha256('body'));
                 INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type,
                                            installments, total, ordered_at, expires_at, pix_code, status, next_try_at)
                 VALUES ('{sale_id}', '{id}', 1, '{business}', 1, 'pix', 1, 30000, '{at}',
                         '{at}'::timestamptz + interval '30 minutes', '00020126PIXCODE', 'sent', 'infinity')"
            ))
            .await;
        Order { id, reference, sale }
    }

    /// An order that was paid now.
    async fn paid_order(&self, number: u128) -> Order {
        let order = self.order(number).await;
        self.app.capture(&self.bakery, &order.sale).await;
        self.end(&order, "paid").await;
        order
    }

    /// Ends an order. If it is unpaid, its sale fails.
    async fn end(&self, order: &Order, status: &str) {
        if status != "paid" {
            self.app.fail(&self.bakery, &order.sale, "Não cobrada.").await;
        }
        let at = self.app.app.state.clock.now().to_rfc3339();
        let (id, sale_id) = (order.id, order.sale_id().uuid());
        self.app
            .execute(&format!(
                "UPDATE order_attempt
                    SET status = '{status}', ended_at = now(), next_try_at = NULL,
                        paid_at = CASE WHEN '{status}' = 'paid' THEN '{at}'::timestamptz END
                  WHERE sale_id = '{sale_id}';
                 UPDATE link_order
                    SET status = '{status}', ended_at = '{at}', holds_use = '{status}' = 'paid',
                        paid_at = CASE WHEN '{status}' = 'paid' THEN '{at}'::timestamptz END
                  WHERE id = '{id}'"
            ))
            .await;
    }

    /// Every row of every table as text.
    async fn dump(&self) -> String {
        let client = self.app.database.client().await;
        let tables = "SELECT quote_ident(relname) FROM pg_class
                       WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'";
        let mut dump = String::new();
        for table in client.query(tables, &[]).await.expect("tables") {
            let name: &str = table.get(0);
            let rows = client.query(&format!("SELECT t::text FROM {name} t"), &[]).await;
            for row in rows.expect("rows") {
                dump.push_str(&format!("{name} {}\n", row.get::<_, &str>(0)));
            }
        }
        dump
    }

    async fn assert_no_trace(&self) {
        let dump = self.dump().await.to_lowercase();
        assert!(dump.contains("bolo de chocolate"), "the dump has the orders");
        for text in BUYER {
            let row = dump.lines().find(|row| row.contains(&text.to_lowercase()));
            assert_eq!(row, None, "{text} is still stored");
        }
    }
}
