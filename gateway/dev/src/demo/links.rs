//! The story's payment links. Each holds a use for every sale of the story that was paid through it.

use chrono::{DateTime, Duration, Utc};
use gateway_platform::links::{LinkFields, NewLink, PAYMENT_TYPES, Payer, link_create, link_use_take};
use ledger_domain::calendar::{Date, start_of};
use tokio_postgres::{Error, GenericClient};

use super::story::{Company, Story, StoryLink};
use super::trade::notices_until;

/// Writes the links as they are at the end of the story.
pub async fn install_links(
    client: &impl GenericClient,
    story: &Story,
    today: Date,
    until: DateTime<Utc>,
) -> Result<(), Error> {
    let notices = notices_until(story, today, until);
    for link in &story.links {
        let paid = |code: &Option<String>| code.as_ref() == Some(&link.code);
        let sold = notices.iter().filter(|notice| {
            notice.content.r#type == "sale.captured" && paid(&notice.content.data.payment_link_code)
        });
        let sold = i32::try_from(sold.count()).unwrap_or(i32::MAX);
        install_link(client, link, today, sold).await?;
    }
    Ok(())
}

async fn install_link(
    client: &impl GenericClient,
    link: &StoryLink,
    today: Date,
    sold: i32,
) -> Result<(), Error> {
    let created_on = today - Duration::days(link.created_days_ago);
    let payer = [Payer::Seller, Payer::Buyer]
        .into_iter()
        .find(|payer| payer.as_str() == link.payer);
    let taken = |kind: &_| link.payment_types.contains(kind);
    let fields = LinkFields {
        description: link.description.clone(),
        amount: link.amount,
        amount_min: link.amount_min,
        amount_max: link.amount_max,
        payment_types: PAYMENT_TYPES.into_iter().filter(taken).collect(),
        installments_max: link.installments_max,
        payer: payer.unwrap_or(Payer::Seller),
        expires_on: link.expires_in_days.map(|days| today + Duration::days(days)),
        use_limit: if link.all_used {
            Some(sold.max(1))
        } else {
            link.use_limit
        },
        active: link.active,
    };
    let new = NewLink {
        id: link.id(),
        business_id: Company::id_of(&link.business),
        code: &link.code,
        fields: &fields,
        created_at: start_of(created_on) + Duration::hours(10),
    };
    link_create(client, &new).await?;
    for _ in 0..sold {
        link_use_take(client, link.id(), created_on).await?;
    }
    Ok(())
}
