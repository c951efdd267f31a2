//! Orders of payment links: what the ledger's word about a sale means for the attempt that it belongs to, what an
//! attempt's end means for its order, and whether another attempt may follow.
//!
//! Only decisions. Words come late, twice and in any order, so each decision can be made again without harm.

/// The end of an attempt's sale, as the ledger recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleEnd {
    Captured,
    Failed,
    Voided,
    /// The buyer of a captured sale got the money back.
    Returned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptStatus {
    /// It may still be paid.
    Open,
    Paid,
    Declined,
    Expired,
    Canceled,
    /// No fault of the buyer: the acquirer could not take it.
    Failed,
}

impl AttemptStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
            Self::Failed => "failed",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [
            Self::Open,
            Self::Paid,
            Self::Declined,
            Self::Expired,
            Self::Canceled,
            Self::Failed,
        ]
        .into_iter()
        .find(|status| status.as_str() == word)
    }

    /// The status after the ledger's word. `wanted` is how an unpaid end was to be called. A payment is a fact, however
    /// late it comes.
    #[must_use]
    pub const fn after(self, end: SaleEnd, wanted: Option<Self>) -> Self {
        match (end, self) {
            (SaleEnd::Captured, _) => Self::Paid,
            (SaleEnd::Returned, Self::Paid) => Self::Canceled,
            (SaleEnd::Failed, Self::Open) => match wanted {
                Some(wanted) => wanted,
                None => Self::Declined,
            },
            (SaleEnd::Voided, Self::Open) => match wanted {
                Some(wanted) => wanted,
                None => Self::Canceled,
            },
            (SaleEnd::Failed | SaleEnd::Voided | SaleEnd::Returned, before) => before,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderStatus {
    Open,
    Paid,
    Expired,
    /// All its payments went back to the buyer.
    Canceled,
}

impl OrderStatus {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid => "paid",
            Self::Expired => "expired",
            Self::Canceled => "canceled",
        }
    }

    pub fn parse(word: &str) -> Option<Self> {
        [Self::Open, Self::Paid, Self::Expired, Self::Canceled]
            .into_iter()
            .find(|status| status.as_str() == word)
    }
}

/// The changes of an order that follow from the end of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Following {
    pub status: OrderStatus,
    /// Another attempt is open: it is canceled before it is paid too.
    pub cancels_open: bool,
    /// More than one attempt is paid: staff refund one.
    pub paid_twice: bool,
    /// The acquirer that could not take it is not the last one. The next is asked, unless that has happened.
    pub asks_next: bool,
    /// Nothing is open: the time begins after which the order ends.
    pub is_idle: bool,
}

impl Following {
    /// `ended` is the attempt's place in `attempts`, which are all of the order. `by_card` says how it was to be paid:
    /// a card's token belongs to one acquirer.
    pub fn of(order: OrderStatus, attempts: &[AttemptStatus], ended: usize, by_card: bool) -> Self {
        let nothing = Self {
            status: order,
            cancels_open: false,
            paid_twice: false,
            asks_next: false,
            is_idle: false,
        };
        let count = |status| attempts.iter().filter(|attempt| **attempt == status).count();
        let is_idle = order == OrderStatus::Open && count(AttemptStatus::Open) == 0;
        match attempts.get(ended) {
            None | Some(AttemptStatus::Open) => nothing,
            // A late payment is a fact: an order that ended unpaid becomes paid.
            Some(AttemptStatus::Paid) => Self {
                status: OrderStatus::Paid,
                cancels_open: count(AttemptStatus::Open) > 0,
                paid_twice: count(AttemptStatus::Paid) > 1,
                ..nothing
            },
            Some(AttemptStatus::Canceled)
                if order == OrderStatus::Paid && count(AttemptStatus::Paid) == 0 =>
            {
                Self {
                    status: OrderStatus::Canceled,
                    ..nothing
                }
            }
            Some(AttemptStatus::Failed) => Self {
                asks_next: is_idle && !by_card && ended + 1 == attempts.len(),
                is_idle,
                ..nothing
            },
            Some(AttemptStatus::Declined | AttemptStatus::Expired | AttemptStatus::Canceled) => {
                Self { is_idle, ..nothing }
            }
        }
    }
}

/// Whether the buyer may try to pay an order in another way now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NextAttempt {
    Add,
    /// The open attempt is given up first. Its acquirer must say that it is unpaid.
    GiveUpFirst,
    /// It is not known yet whether the open attempt is paid.
    Wait,
    /// The order has ended.
    Closed,
}

impl NextAttempt {
    /// `open_can_be_given_up` is `None` without an open attempt. It is true if the buyer has what is needed to pay that
    /// one, and its cancel was not requested yet.
    pub const fn of(order: OrderStatus, open_can_be_given_up: Option<bool>) -> Self {
        match (order, open_can_be_given_up) {
            (OrderStatus::Open, None) => Self::Add,
            (OrderStatus::Open, Some(true)) => Self::GiveUpFirst,
            (OrderStatus::Open, Some(false)) => Self::Wait,
            (OrderStatus::Paid | OrderStatus::Expired | OrderStatus::Canceled, _) => Self::Closed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use AttemptStatus as Attempt;
    use OrderStatus as Order;

    #[test]
    fn a_payment_is_a_fact_after_every_other_end_and_nothing_else_changes_an_end() {
        for ended in [
            Attempt::Declined,
            Attempt::Expired,
            Attempt::Canceled,
            Attempt::Failed,
        ] {
            assert_eq!(ended.after(SaleEnd::Captured, None), Attempt::Paid);
            for word in [SaleEnd::Failed, SaleEnd::Voided, SaleEnd::Returned] {
                assert_eq!(ended.after(word, Some(Attempt::Declined)), ended);
            }
        }
        assert_eq!(Attempt::Paid.after(SaleEnd::Voided, None), Attempt::Paid);
        assert_eq!(Attempt::Paid.after(SaleEnd::Returned, None), Attempt::Canceled);
        let expired = Attempt::Open.after(SaleEnd::Voided, Some(Attempt::Expired));
        assert_eq!(expired, Attempt::Expired);
    }

    #[test]
    fn a_second_payment_is_for_staff_and_cancels_what_is_open() {
        let once = Following::of(Order::Expired, &[Attempt::Paid, Attempt::Open], 0, true);
        assert_eq!(
            (once.status, once.cancels_open, once.paid_twice),
            (Order::Paid, true, false)
        );
        let twice = Following::of(Order::Paid, &[Attempt::Paid, Attempt::Paid], 1, true);
        assert_eq!(
            (twice.status, twice.cancels_open, twice.paid_twice),
            (Order::Paid, false, true)
        );
        let one_left = Following::of(Order::Paid, &[Attempt::Canceled, Attempt::Paid], 0, true);
        assert_eq!(one_left.status, Order::Paid);
        let none_left = Following::of(Order::Paid, &[Attempt::Canceled, Attempt::Canceled], 0, true);
        assert_eq!(none_left.status, Order::Canceled);
    }

    #[test]
    fn another_acquirer_is_asked_once_and_never_for_a_card() {
        let asks = |attempts: &[Attempt], by_card| Following::of(Order::Open, attempts, 0, by_card).asks_next;
        assert!(asks(&[Attempt::Failed], false));
        assert!(!asks(&[Attempt::Failed], true));
        assert!(!asks(&[Attempt::Failed, Attempt::Open], false));
        assert!(Following::of(Order::Open, &[Attempt::Declined], 0, true).is_idle);
        assert!(!Following::of(Order::Expired, &[Attempt::Declined], 0, true).is_idle);
    }

    #[test]
    fn an_order_has_one_open_attempt_at_most() {
        assert_eq!(NextAttempt::of(Order::Open, None), NextAttempt::Add);
        assert_eq!(NextAttempt::of(Order::Open, Some(true)), NextAttempt::GiveUpFirst);
        assert_eq!(NextAttempt::of(Order::Open, Some(false)), NextAttempt::Wait);
        for ended in [Order::Paid, Order::Expired, Order::Canceled] {
            assert_eq!(NextAttempt::of(ended, None), NextAttempt::Closed);
        }
    }
}
