//! Payment links: a company's own links, staff's list of all links, and what the public page of a link shows. The rules
//! of changes are in `gateway_platform::links`.

pub mod bodies;
pub mod forms;
pub mod public;
pub mod public_bodies;
pub mod query;
mod refusals;
pub mod seller;
pub mod spreadsheets;
pub mod staff;

use std::collections::HashMap;

use gateway_platform::links::{LinkFigures, PAYMENT_LINK, PaymentLink, link_figures};
use ledger_domain::PaymentLinkId;
use ledger_domain::calendar::Date;
use tokio_postgres::GenericClient;

use crate::problem::Result;
use crate::shared::change::Subject;

/// Links in the audit log.
pub const LINK: Subject = Subject(PAYMENT_LINK);

/// Links with the sales figures that lists and the pages of links show.
pub struct LinksWithFigures {
    links: Vec<PaymentLink>,
    figures: HashMap<PaymentLinkId, LinkFigures>,
    today: Date,
}

impl LinksWithFigures {
    pub(crate) async fn of(
        client: &impl GenericClient,
        links: Vec<PaymentLink>,
        today: Date,
    ) -> Result<Self> {
        let figures = link_figures(client, &links).await?;
        Ok(Self {
            links,
            figures,
            today,
        })
    }

    /// The rows of an answer.
    pub fn rows<Row>(self, of: impl Fn(PaymentLink, LinkFigures, Date) -> Row) -> Vec<Row> {
        let Self {
            links,
            figures,
            today,
        } = self;
        let figures_of = |link: &PaymentLink| figures.get(&link.id).copied().unwrap_or_default();
        links
            .into_iter()
            .map(|link| {
                let figures = figures_of(&link);
                of(link, figures, today)
            })
            .collect()
    }
}
