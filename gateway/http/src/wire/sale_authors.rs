//! Who did what of a sale: each of its events, its dispute, its refund.

use ledger_domain::sale::{Initiator, Provider};
use ledger_store::Actor;
use projections::sale::{SaleDetail, SaleEvent};

use super::author::{Author, Authors};

pub struct SaleAuthors {
    /// In the order of the events.
    pub of_events: Vec<Author>,
    pub of_dispute: Author,
    pub of_refund: Author,
}

impl SaleAuthors {
    pub fn of(sale: &SaleDetail, authors: &Authors) -> Self {
        let provider = sale.row.provider;
        let of_events: Vec<_> = sale
            .events
            .iter()
            .map(|event| author(event, &sale.events, provider, authors))
            .collect();
        let last = |wanted: &dyn Fn(&SaleEvent) -> bool| {
            sale.events
                .iter()
                .zip(&of_events)
                .rfind(|(event, _)| wanted(event))
                .map(|(_, author)| author.clone())
        };
        // A dispute begins by its opening, or by a loss that is the first heard of it.
        let of_dispute = sale.dispute.as_ref().and_then(|dispute| {
            last(&|event| {
                matches!(event.event_type, "SaleDisputed" | "SaleChargedBack")
                    && event.occurred_at == dispute.opened_at
            })
        });
        let of_refund = last(&|event| event.event_type == "SaleCanceled");
        Self {
            of_events,
            of_dispute: of_dispute.unwrap_or(Author::PLATFORM),
            of_refund: of_refund.unwrap_or(Author::PLATFORM),
        }
    }
}

fn author(event: &SaleEvent, events: &[SaleEvent], provider: Provider, authors: &Authors) -> Author {
    // Also where an installment settles in the append of its capture, which carries the acquirer's name.
    if event.event_type == "ReceivablesSettled" {
        return Author::AUTOMATIC;
    }
    match (&event.actor, event.initiator) {
        // The payment of a sale that a person gave up goes back in the append of its capture.
        (Actor::Provider(_), Some(Initiator::Platform)) => events
            .iter()
            .find(|earlier| earlier.event_type == "SaleVoided")
            .and_then(|given_up| authors.of(&given_up.actor))
            .unwrap_or(Author::AUTOMATIC),
        (actor, initiator) => authors.of(actor).unwrap_or_else(|| match initiator {
            Some(Initiator::Platform) => Author::PLATFORM,
            Some(Initiator::Acquirer) | None => Author::acquirer(provider),
        }),
    }
}
