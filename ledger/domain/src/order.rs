//! The rules for orders of payment links: how an event of a sale changes its attempt, how an attempt's end changes its
//! order, and whether the buyer may add another attempt.

use crate::words;

/// The end of an attempt's sale, as the ledger recorded it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleEnd {
    Captured,
    Failed,
    Voided,
    /// The sale was canceled, refunded or reversed after its capture.
    Returned,
}

words! {
    pub enum AttemptStatus {
        /// It may still be paid. The outbox has several states of an open attempt.
        Open = "open" | "waiting" | "unknown" | "sent" | "unreadable",
        Paid = "paid",
        Declined = "declined",
        Expired = "expired",
        Canceled = "canceled",
        /// No fault of the buyer: the acquirer could not take it.
        Failed = "failed",
    }
}

impl AttemptStatus {
    /// The status after the sale ended. `requested_end` is the status of an unpaid end that was decided before the sale
    /// ended, such as expired. A payment counts, however late it comes.
    #[must_use]
    pub const fn after(self, end: SaleEnd, requested_end: Option<Self>) -> Self {
        match (end, self) {
            (SaleEnd::Captured, _) => Self::Paid,
            (SaleEnd::Returned, Self::Paid) => Self::Canceled,
            (SaleEnd::Failed, Self::Open) => match requested_end {
                Some(requested_end) => requested_end,
                None => Self::Declined,
            },
            (SaleEnd::Voided, Self::Open) => match requested_end {
                Some(requested_end) => requested_end,
                None => Self::Canceled,
            },
            (SaleEnd::Failed | SaleEnd::Voided | SaleEnd::Returned, before) => before,
        }
    }
}

words! {
    pub enum OrderStatus {
        Open = "open",
        Paid = "paid",
        Expired = "expired",
        /// All its payments were canceled, refunded or reversed.
        Canceled = "canceled",
    }
}

/// How an order changes when one of its attempts has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OrderTransition {
    pub status: OrderStatus,
    /// Another attempt is open: its cancel must be requested.
    pub cancels_open: bool,
    /// More than one attempt is paid: reported to staff.
    pub paid_twice: bool,
    /// The acquirer could not take the last attempt: the next acquirer is asked, if there is one. Earlier attempts may
    /// be open still, if the order has given them up.
    pub asks_next: bool,
    /// The order is open, and none of its attempts is: it ends some time later, unless an attempt is added.
    pub is_idle: bool,
}

impl OrderTransition {
    /// `attempts` are all of the order, and `ended` is the index of the one that ended. `by_card` is whether it was a
    /// card payment: a card's token belongs to one acquirer, so no other can be asked.
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
            // A late payment counts: an order that ended unpaid becomes paid.
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
                asks_next: order == OrderStatus::Open && !by_card && ended + 1 == attempts.len(),
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
    /// The open attempt cannot be given up now.
    Wait,
    /// The order has ended.
    Closed,
}

impl NextAttempt {
    /// `open_can_be_given_up` is `None` without an open attempt.
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
    fn a_payment_counts_after_every_unpaid_end_and_nothing_else_changes_such_an_end() {
        for ended in [
            Attempt::Declined,
            Attempt::Expired,
            Attempt::Canceled,
            Attempt::Failed,
        ] {
            assert_eq!(ended.after(SaleEnd::Captured, None), Attempt::Paid);
            for end in [SaleEnd::Failed, SaleEnd::Voided, SaleEnd::Returned] {
                assert_eq!(ended.after(end, Some(Attempt::Declined)), ended);
            }
        }
        assert_eq!(Attempt::Paid.after(SaleEnd::Voided, None), Attempt::Paid);
        assert_eq!(Attempt::Paid.after(SaleEnd::Returned, None), Attempt::Canceled);
        let expired = Attempt::Open.after(SaleEnd::Voided, Some(Attempt::Expired));
        assert_eq!(expired, Attempt::Expired);
    }

    #[test]
    fn a_second_payment_is_for_staff_and_cancels_what_is_open() {
        let once = OrderTransition::of(Order::Expired, &[Attempt::Paid, Attempt::Open], 0, true);
        assert_eq!(
            (once.status, once.cancels_open, once.paid_twice),
            (Order::Paid, true, false)
        );
        let twice = OrderTransition::of(Order::Paid, &[Attempt::Paid, Attempt::Paid], 1, true);
        assert_eq!(
            (twice.status, twice.cancels_open, twice.paid_twice),
            (Order::Paid, false, true)
        );
        let one_left = OrderTransition::of(Order::Paid, &[Attempt::Canceled, Attempt::Paid], 0, true);
        assert_eq!(one_left.status, Order::Paid);
        let none_left = OrderTransition::of(Order::Paid, &[Attempt::Canceled, Attempt::Canceled], 0, true);
        assert_eq!(none_left.status, Order::Canceled);
    }

    #[test]
    fn another_acquirer_is_asked_once_and_never_for_a_card() {
        let asks =
            |attempts: &[Attempt], by_card| OrderTransition::of(Order::Open, attempts, 0, by_card).asks_next;
        assert!(asks(&[Attempt::Failed], false));
        assert!(!asks(&[Attempt::Failed], true));
        assert!(!asks(&[Attempt::Failed, Attempt::Open], false));
        // The first attempt's failure is reported again after the second attempt, at the next acquirer, failed too.
        assert!(!asks(&[Attempt::Failed, Attempt::Failed], false));
    }

    #[test]
    fn an_open_order_without_an_open_attempt_is_idle() {
        assert!(OrderTransition::of(Order::Open, &[Attempt::Declined], 0, true).is_idle);
        assert!(!OrderTransition::of(Order::Expired, &[Attempt::Declined], 0, true).is_idle);
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
