//! The authors of a sale's events, dispute and refund.

use ledger_domain::business::{
    ReceivablesSettled, ReserveReleased, SaleCanceled, SaleChargedBack, SaleDisputed, SalePartRefunded,
    SaleVoided,
};
use ledger_domain::sale::{Initiator, Provider};
use ledger_store::Actor;
use projections::sales::{SaleDetail, SaleEventRow};

use crate::shared::author::{Author, Authors};

pub struct SaleAuthors {
    /// One author for each event, in the order of the events.
    pub of_events: Vec<Author>,
    pub of_dispute: Author,
    /// The authors of the refunds that the platform requested, with the refund's id in the ledger.
    of_refunds: Vec<(Option<String>, Author)>,
}

impl SaleAuthors {
    pub fn of(sale: &SaleDetail, authors: &Authors) -> Self {
        let provider = sale.row.provider;
        let of_events: Vec<_> = sale
            .events
            .iter()
            .map(|event| author(event, &sale.events, provider, authors))
            .collect();
        let last = |wanted: &dyn Fn(&SaleEventRow) -> bool| {
            sale.events
                .iter()
                .zip(&of_events)
                .rfind(|(event, _)| wanted(event))
                .map(|(_, author)| author.clone())
        };
        // A dispute begins with its opening, or with a chargeback if that is the first notice of it.
        let of_dispute = sale.dispute.as_ref().and_then(|dispute| {
            last(&|event| {
                matches!(event.event_type, SaleDisputed::TYPE | SaleChargedBack::TYPE)
                    && event.occurred_at == dispute.opened_at
            })
        });
        let returns = sale.events.iter().zip(&of_events).filter(|(event, _)| {
            matches!(event.event_type, SaleCanceled::TYPE | SalePartRefunded::TYPE)
                && event.initiator == Some(Initiator::Platform)
        });
        let of_refunds = returns
            .map(|(event, author)| (event.refund.as_ref().map(ToString::to_string), author.clone()))
            .collect();
        Self {
            of_events,
            of_dispute: of_dispute.unwrap_or(Author::PLATFORM),
            of_refunds,
        }
    }

    pub fn of_refund(&self, reference: Option<&str>) -> Author {
        let found = self.of_refunds.iter().find(|(of, _)| of.as_deref() == reference);
        found.map_or(Author::PLATFORM, |(_, author)| author.clone())
    }
}

fn author(event: &SaleEventRow, events: &[SaleEventRow], provider: Provider, authors: &Authors) -> Author {
    // A settlement is automatic even if it is appended with the capture, whose actor is the acquirer. So is a release of
    // the reserve that is appended with a reversal.
    if [ReceivablesSettled::TYPE, ReserveReleased::TYPE].contains(&event.event_type) {
        return Author::AUTOMATIC;
    }
    match (&event.actor, event.initiator) {
        // The capture of a voided sale is appended with a cancel. Both have the acquirer as actor. If a user had voided
        // the sale, that user is the cancel's author.
        (Actor::Provider(_), Some(Initiator::Platform)) => events
            .iter()
            .find(|earlier| earlier.event_type == SaleVoided::TYPE)
            .and_then(|voided| authors.of(&voided.actor))
            .unwrap_or(Author::AUTOMATIC),
        (actor, initiator) => authors.of(actor).unwrap_or_else(|| match initiator {
            Some(Initiator::Platform) => Author::PLATFORM,
            Some(Initiator::Acquirer) | None => Author::acquirer(provider),
        }),
    }
}
