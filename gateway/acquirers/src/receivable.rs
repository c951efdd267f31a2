//! An acquirer's statement of one payment to us: for one installment of one charge, expected or made.

use ledger_domain::calendar::Date;
use ledger_domain::{Cents, SaleId};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AcquirerReceivable {
    /// The acquirer's id of the charge.
    pub charge_id: String,
    /// Our sale id, if the acquirer repeats it.
    pub sale_id: Option<SaleId>,
    /// From 1.
    pub installment: u8,
    pub gross: Cents,
    /// The acquirer's fee.
    pub cost: Cents,
    pub net: Cents,
    pub expected_on: Option<Date>,
    pub paid_on: Option<Date>,
    pub canceled: bool,
}

/// One page of a list. `next` continues it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReceivablePage {
    pub receivables: Vec<AcquirerReceivable>,
    /// The places of the items that cannot be read, in the whole list, from 1. They never stop the others.
    pub unreadable: Vec<u64>,
    pub next: Option<String>,
}

const REFERENCE_CHARACTERS_MAX: usize = 120;
const INSTALLMENT_MAX: u8 = 99;

impl AcquirerReceivable {
    /// A value out of these bounds cannot be stored, or could make the sum of a day overflow.
    fn is_plausible(&self) -> bool {
        let id = &self.charge_id;
        let is_amount = |amount: Cents| amount.get().unsigned_abs() <= Cents::AMOUNT_MAX.get().unsigned_abs();
        (1..=REFERENCE_CHARACTERS_MAX).contains(&id.chars().count())
            && !id.chars().any(char::is_control)
            && (1..=INSTALLMENT_MAX).contains(&self.installment)
            && [self.gross, self.cost, self.net].into_iter().all(is_amount)
    }
}

impl ReceivablePage {
    /// Reads the items of a page that begins after `offset` items of the list.
    pub(crate) fn of_items<Item: DeserializeOwned>(
        items: &[Box<RawValue>],
        offset: usize,
        read: impl Fn(Item) -> AcquirerReceivable,
    ) -> Self {
        let mut page = Self::default();
        for (place, item) in (offset as u64 + 1..).zip(items) {
            let item = serde_json::from_str(item.get()).ok().map(&read);
            match item.filter(AcquirerReceivable::is_plausible) {
                Some(receivable) => page.receivables.push(receivable),
                None => page.unreadable.push(place),
            }
        }
        page
    }

    /// Keeps the receivables that are expected or paid on the day.
    pub(crate) fn of_day(mut self, day: Date) -> Self {
        self.receivables
            .retain(|item| item.expected_on == Some(day) || item.paid_on == Some(day));
        self
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Item {
        id: String,
        installment: u8,
        gross: i64,
    }

    impl Item {
        fn read(self) -> AcquirerReceivable {
            AcquirerReceivable {
                charge_id: self.id,
                sale_id: None,
                installment: self.installment,
                gross: Cents::new(self.gross),
                cost: Cents::ZERO,
                net: Cents::new(self.gross),
                expected_on: None,
                paid_on: None,
                canceled: false,
            }
        }
    }

    #[test]
    fn an_item_that_cannot_be_read_or_stored_is_named_and_stops_no_other() {
        let long = "x".repeat(REFERENCE_CHARACTERS_MAX + 1);
        // The amounts at the limit: `Cents::AMOUNT_MAX` is 9,999,999,999 cents.
        let items = [
            r#"{"id": "a", "installment": 1, "gross": 9999999999}"#,
            r#"{"id": "a"}"#,
            "null",
            r#"{"id": "", "installment": 1, "gross": 1}"#,
            r#"{"id": "a\u0000", "installment": 1, "gross": 1}"#,
            &format!(r#"{{"id": "{long}", "installment": 1, "gross": 1}}"#),
            r#"{"id": "a", "installment": 0, "gross": 1}"#,
            r#"{"id": "a", "installment": 100, "gross": 1}"#,
            r#"{"id": "a", "installment": 1, "gross": 10000000000}"#,
            r#"{"id": "a", "installment": 1, "gross": -9223372036854775808}"#,
            r#"{"id": "b", "installment": 99, "gross": -1}"#,
        ];
        let items = items.map(|item| RawValue::from_string(item.to_owned()).expect("JSON"));
        let page = ReceivablePage::of_items(&items, 100, Item::read);
        let ids: Vec<_> = page
            .receivables
            .iter()
            .map(|item| item.charge_id.as_str())
            .collect();
        assert_eq!(ids, ["a", "b"]);
        assert_eq!(
            page.unreadable,
            (102..=110).collect::<Vec<u64>>(),
            "the page begins after item 100; its items 2 to 10 are bad"
        );
    }
}
