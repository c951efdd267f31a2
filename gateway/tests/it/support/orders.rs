//! The rows of an order that was paid, for tests that need no acquirer and no page.

use ledger_domain::sale::{PaymentType, Provider};
use ledger_domain::{Cents, SaleId};
use uuid::Uuid;

use super::{Company, TestApp};

pub struct PaidOrder<'a> {
    pub sale_id: SaleId,
    pub provider: Provider,
    pub payment_type: PaymentType,
    pub installments: u8,
    pub amount: Cents,
    /// The id of the charge at the acquirer.
    pub charge_id: Option<&'a str>,
}

impl TestApp {
    /// Returns the order's reference.
    pub async fn paid_order(&self, company: &Company, order: &PaidOrder<'_>) -> String {
        let (sale, company) = (order.sale_id.uuid(), company.id.uuid());
        let code = &Uuid::new_v4().simple().to_string().to_uppercase()[..12];
        let reference = &code[..10];
        let (amount, provider) = (order.amount.get(), order.provider.number());
        let (kind, installments) = (order.payment_type.as_str(), order.installments);
        let charge = order
            .charge_id
            .map_or_else(|| "NULL".to_owned(), |id| format!("'{id}'"));
        self.execute(&format!(
            "INSERT INTO payment_link (id, business_id, code, description, payment_types, installments_max, payer,
                                       uses, active, created_at, updated_at)
             VALUES ('{sale}', '{company}', '{code}', 'Bolo', '{{{kind}}}', {installments}, 'seller', 1, true, now(),
                     now());
             INSERT INTO link_order (id, reference, link_id, business_id, description, amount, panel_url, request_key,
                                     status, created_at, paid_at, ended_at)
             VALUES ('{sale}', '{reference}', '{sale}', '{company}', 'Bolo', {amount}, 'http://localhost',
                     sha256('{sale}'), 'paid', now(), now(), now());
             INSERT INTO order_attempt (sale_id, order_id, number, business_id, provider, payment_type, installments,
                                        total, card_brand, ordered_at, expires_at, due_on, acquirer_id, status,
                                        next_try_at, paid_at, ended_at)
             VALUES ('{sale}', '{sale}', 1, '{company}', {provider}, '{kind}', {installments}, {amount},
                     CASE '{kind}' WHEN 'credit' THEN 'visa' END, now(), now() + interval '30 minutes',
                     CASE '{kind}' WHEN 'boleto' THEN current_date END, {charge}, 'paid', NULL, now(), now())"
        ))
        .await;
        reference.to_owned()
    }
}
