//! The canonical body: what the sandbox speaks, and what every adapter's output amounts to.
//!
//! A type that is not known is read as far as it says whom and what it is about, and no further: it is kept whole, and
//! must not be refused for a field that nobody uses. Of the known ones only what the ledger records is read: a dispute's
//! deadline is not, because it is for whoever answers the dispute at the acquirer, and decides nothing here.

use ledger_domain::sale::{CardBrand, DisputeId, PaymentType, Solution};
use ledger_domain::{BusinessId, Cents, SaleId};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::NoticeReader;
use super::fields::{FieldErrors, Fields, forbidden_content};
use super::notice::{Notice, SaleReference, Told, ToldEnd, ToldOfSale, ToldPayout, ToldSale};

pub struct Canonical;

impl NoticeReader for Canonical {
    fn read(&self, told: &Value) -> Result<Notice, FieldErrors> {
        forbidden_content(told)?;
        let Some(object) = told.as_object() else {
            return Err(FieldErrors::one("", "Deve ser um objeto."));
        };
        let mut errors = FieldErrors::default();
        let mut envelope = Fields::new(object, "", &mut errors);
        envelope.require(&["id", "type", "occurred_at"]);
        let id = envelope.text("id", 100);
        let type_name = envelope.text("type", 60);
        let occurred_at = envelope.instant("occurred_at");
        let nothing = Map::new();
        let data = match object.get("data") {
            Some(Value::Object(data)) => data,
            Some(Value::Null) | None => &nothing,
            Some(_) => return Err(FieldErrors::one("/data", "Deve ser um objeto.")),
        };
        let mut fields = Fields::new(data, "/data", &mut errors);
        let business_id = fields.parsed("business_id", 40, "Deve ser o id de uma empresa.", business_id);
        let sale_id = fields.parsed("sale_id", 40, "Deve ser o id de uma venda.", sale_id);
        let external_id = fields.text("external_id", 100).map(str::to_owned);
        let terminal_serial = fields.text("terminal_serial", 40).map(str::to_owned);
        let told = told_by(type_name.unwrap_or_default(), &mut fields);
        match (id, type_name, occurred_at, told) {
            (Some(id), Some(type_name), Some(occurred_at), Some(told)) if errors.is_empty() => Ok(Notice {
                id: id.to_owned(),
                type_name: type_name.to_owned(),
                occurred_at,
                business_id,
                terminal_serial,
                reference: SaleReference { sale_id, external_id },
                told,
            }),
            _ => Err(errors),
        }
    }
}

fn told_by(type_name: &str, fields: &mut Fields<'_, '_>) -> Option<Told> {
    let told = match type_name {
        "sale.created" => ToldOfSale::Created(told_sale(fields)?),
        "sale.captured" => ToldOfSale::Captured(told_sale(fields)?),
        "sale.failed" => {
            let reason = reason(fields);
            ToldOfSale::Failed {
                sale: told_sale(fields)?,
                reason,
            }
        }
        "sale.canceled" => ToldOfSale::Canceled {
            reason: of_known_sale(fields),
        },
        "sale.refunded" => ToldOfSale::Refunded {
            reason: of_known_sale(fields),
        },
        "sale.reversed" => ToldOfSale::Reversed {
            reason: of_known_sale(fields),
        },
        "dispute.opened" => {
            let reason = of_known_sale(fields);
            ToldOfSale::DisputeOpened {
                dispute_id: dispute_id(fields)?,
                reason,
            }
        }
        "dispute.won" => {
            of_known_sale(fields);
            ToldOfSale::DisputeWon {
                dispute_id: dispute_id(fields)?,
            }
        }
        "dispute.lost" => {
            let reason = of_known_sale(fields);
            ToldOfSale::DisputeLost {
                dispute_id: dispute_id(fields)?,
                reason,
            }
        }
        "payout.paid" => return told_payout(fields, ToldEnd::Paid),
        "payout.failed" => {
            let reason = reason(fields);
            return told_payout(fields, ToldEnd::Failed { reason });
        }
        _ => return Some(Told::UnknownType),
    };
    Some(Told::Sale(told))
}

fn reason(fields: &mut Fields<'_, '_>) -> Option<String> {
    fields.text("reason", 200).map(str::to_owned)
}

/// What happened to a sale that was told of before need not repeat its facts, only say which it is; and may say why.
fn of_known_sale(fields: &mut Fields<'_, '_>) -> Option<String> {
    if !fields.has("sale_id") {
        fields.require(&["external_id"]);
    }
    reason(fields)
}

fn dispute_id(fields: &mut Fields<'_, '_>) -> Option<DisputeId> {
    fields.require(&["dispute_id"]);
    let expected = "Deve ser o id de uma contestação.";
    fields.parsed("dispute_id", DisputeId::LENGTH_MAX, expected, |text| {
        DisputeId::parse(text).ok()
    })
}

fn told_payout(fields: &mut Fields<'_, '_>, end: ToldEnd) -> Option<Told> {
    fields.require(&["transfer_id", "payout_id"]);
    let transfer_id = fields.parsed("transfer_id", 40, "Deve ser o id de um saque.", |text| {
        text.parse().ok()
    });
    let payout_id = fields.parsed(
        "payout_id",
        40,
        "Deve ser o id de um pagamento de saque.",
        |text| text.parse().ok(),
    );
    Some(Told::Payout(ToldPayout {
        transfer_id: transfer_id?,
        payout_id: payout_id?,
        end,
    }))
}

fn told_sale(fields: &mut Fields<'_, '_>) -> Option<ToldSale> {
    fields.require(&["external_id", "solution", "payment_type", "amount"]);
    let external_id = fields.text("external_id", 100);
    let solution = fields
        .integer("solution", 1..=4)
        .and_then(|number| u8::try_from(number).ok())
        .and_then(|number| Solution::from_number(number).ok());
    let payment_type = fields.parsed(
        "payment_type",
        20,
        "Deve ser credit, debit, boleto ou pix.",
        |text| text.parse().ok(),
    );
    let on_card = matches!(payment_type, Some(PaymentType::Credit | PaymentType::Debit));
    if on_card {
        fields.require(&["card_brand"]);
    }
    // Some providers repeat the means of payment as a brand: it means something on a card only.
    let card_brand = if on_card {
        fields.parsed("card_brand", 20, "Deve ser uma bandeira.", |text| {
            text.parse::<CardBrand>().ok()
        })
    } else {
        None
    };
    let installments_most = if payment_type == Some(PaymentType::Credit) {
        21
    } else {
        1
    };
    let installments = fields.integer("installments", 1..=installments_most).unwrap_or(1);
    let amount = fields.integer("amount", Cents::AMOUNT_MIN.get()..=Cents::AMOUNT_MAX.get());
    let card_last_four = fields.parsed(
        "card_last_four",
        4,
        "Deve ter os 4 últimos dígitos do cartão.",
        four_digits,
    );
    let payment_link_code = fields.text("payment_link_code", 40).map(str::to_owned);
    let authorization_code = fields.text("authorization_code", 40).map(str::to_owned);
    Some(ToldSale {
        external_id: external_id?.to_owned(),
        solution: solution?,
        payment_type: payment_type?,
        card_brand,
        installments: u8::try_from(installments).ok()?,
        amount: Cents::new(amount?),
        payment_link_code,
        card_last_four,
        authorization_code,
    })
}

fn four_digits(text: &str) -> Option<String> {
    (text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.to_owned())
}

/// Ours have a prefix; a provider that keeps ids as UUIDs may leave it out.
fn business_id(text: &str) -> Option<BusinessId> {
    text.parse()
        .ok()
        .or_else(|| bare_uuid(text).map(BusinessId::from_uuid))
}

fn sale_id(text: &str) -> Option<SaleId> {
    text.parse()
        .ok()
        .or_else(|| bare_uuid(text).map(SaleId::from_uuid))
}

fn bare_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 {
        Uuid::try_parse(text).ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(type_name: &str) -> Value {
        json!({"id": "evt_01", "type": type_name, "occurred_at": "2026-11-23T14:03:11Z",
               "data": {"business_id": "11111111-1111-4111-8111-111111111111", "external_id": "nsu-1", "sale_id": null,
                        "solution": 1, "payment_type": "credit", "card_brand": "visa", "installments": 3,
                        "amount": 30000, "terminal_serial": "SN-1", "payment_link_code": null,
                        "card_last_four": "4242", "authorization_code": "A1", "reason": null}})
    }

    fn pointers(told: &Value) -> Vec<String> {
        Canonical
            .read(told)
            .expect_err("faults")
            .into_inner()
            .into_keys()
            .collect()
    }

    fn with(field: &str, value: Value) -> Value {
        let mut told = body("sale.captured");
        told["data"][field] = value;
        told
    }

    #[test]
    fn a_capture_is_read_whole() {
        let notice = Canonical.read(&body("sale.captured")).expect("readable");
        assert_eq!(notice.terminal_serial.as_deref(), Some("SN-1"));
        let Told::Sale(ToldOfSale::Captured(sale)) = notice.told else {
            panic!("a capture")
        };
        assert_eq!((sale.amount, sale.installments), (Cents::new(30000), 3));
        assert_eq!(sale.card_last_four.as_deref(), Some("4242"));
    }

    #[test]
    fn every_fault_is_listed_at_once_by_its_pointer() {
        let told = json!({"id": "", "type": "sale.captured", "occurred_at": "yesterday",
                          "data": {"external_id": "x", "solution": 9, "payment_type": "cash", "amount": 0}});
        assert_eq!(
            pointers(&told),
            [
                "/data/amount",
                "/data/payment_type",
                "/data/solution",
                "/id",
                "/occurred_at"
            ]
        );
    }

    #[test]
    fn amounts_are_whole_cents_from_one_to_ten_digits() {
        for refused in [
            json!(0),
            json!(-1),
            json!(10_000_000_000_u64),
            json!(1.5),
            json!("100"),
        ] {
            assert_eq!(pointers(&with("amount", refused)), ["/data/amount"]);
        }
        for accepted in [1_i64, 9_999_999_999] {
            assert!(Canonical.read(&with("amount", json!(accepted))).is_ok());
        }
    }

    #[test]
    fn a_card_needs_its_brand_and_only_credit_has_instalments() {
        assert_eq!(pointers(&with("card_brand", Value::Null)), ["/data/card_brand"]);
        assert_eq!(
            pointers(&with("payment_type", json!("debit"))),
            ["/data/installments"]
        );
        assert_eq!(pointers(&with("installments", json!(22))), ["/data/installments"]);
    }

    #[test]
    fn a_payout_is_told_by_our_two_ids_and_of_no_sale() {
        let told = |data: Value| json!({"id": "1", "type": "payout.failed", "occurred_at": "2026-11-23T14:03:11Z", "data": data});
        let (transfer, payout) = (
            "trf_11111111-1111-4111-8111-111111111111",
            "pay_22222222-2222-4222-8222-222222222222",
        );
        let notice = Canonical
            .read(&told(
                json!({"transfer_id": transfer, "payout_id": payout, "reason": "Conta encerrada"}),
            ))
            .expect("readable");
        let Told::Payout(payout_told) = notice.told else {
            panic!("a payout")
        };
        assert_eq!(payout_told.transfer_id.to_string(), transfer);
        assert_eq!(payout_told.payout_id.to_string(), payout);
        let reason = Some("Conta encerrada".to_owned());
        assert_eq!(payout_told.end, ToldEnd::Failed { reason });
        assert_eq!(
            pointers(&told(json!({"transfer_id": payout}))),
            ["/data/payout_id", "/data/transfer_id"]
        );
    }

    #[test]
    fn what_undoes_a_sale_names_it_and_repeats_none_of_its_facts() {
        let told = |r#type: &str, data: Value| json!({"id": "1", "type": r#type, "occurred_at": "2026-11-23T14:03:11Z", "data": data});
        let read = |r#type: &str, data: Value| Canonical.read(&told(r#type, data)).expect("readable").told;
        let reason = Some("Produto devolvido".to_owned());
        let data = json!({"external_id": "nsu-1", "amount": "whatever", "reason": "Produto devolvido"});
        assert_eq!(
            read("sale.refunded", data.clone()),
            Told::Sale(ToldOfSale::Refunded {
                reason: reason.clone()
            })
        );
        assert_eq!(
            read("sale.reversed", data),
            Told::Sale(ToldOfSale::Reversed { reason })
        );
        for r#type in ["sale.canceled", "sale.refunded", "sale.reversed"] {
            assert_eq!(pointers(&told(r#type, json!({}))), ["/data/external_id"], "{type}");
        }
    }

    #[test]
    fn a_dispute_is_known_by_its_id_and_its_deadline_is_nobodys_here() {
        let told = |data: Value| json!({"id": "1", "type": "dispute.opened", "occurred_at": "2026-11-23T14:03:11Z", "data": data});
        let data = json!({"external_id": "nsu-1", "dispute_id": "dp-1", "dispute_deadline": "whenever"});
        let opened = ToldOfSale::DisputeOpened {
            dispute_id: DisputeId::parse("dp-1").expect("an id"),
            reason: None,
        };
        assert_eq!(Canonical.read(&told(data)).expect("readable").told, Told::Sale(opened));
        assert_eq!(
            pointers(&told(json!({"external_id": "nsu-1"}))),
            ["/data/dispute_id"]
        );
        let long = json!({"external_id": "nsu-1", "dispute_id": "d".repeat(101)});
        assert_eq!(pointers(&told(long)), ["/data/dispute_id"]);
    }

    #[test]
    fn an_unknown_type_is_read_only_as_far_as_it_is_known() {
        let told = json!({"id": "1", "type": "moon.risen", "occurred_at": "2026-11-23T14:03:11Z",
                          "data": {"amount": "whatever", "external_id": "nsu-1"}});
        let notice = Canonical.read(&told).expect("readable");
        assert_eq!(notice.told, Told::UnknownType);
        assert_eq!(notice.reference.external_id.as_deref(), Some("nsu-1"));
    }
}
