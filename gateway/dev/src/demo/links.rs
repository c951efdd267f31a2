//! The story's payment links.

use chrono::{DateTime, Duration, Utc};
use gateway_platform::acquirers::records::{NewRoute, RouteKey, route_add, route_fetch};
use gateway_platform::links::{FeePayer, LinkFields, NewLink, PAYMENT_TYPES, link_create};
use ledger_domain::calendar::{Date, start_of};
use ledger_domain::sale::{PaymentType, Solution};
use tokio_postgres::{Error, GenericClient};

use super::link_sales::{LinkOrder, SANDBOX_API_COMPANY, route};
use super::story::{Company, Story, StoryLink};

/// Writes the links, and the acquirers of one company's cards and PIX codes. A link that is used up has a limit equal
/// to its uses at the end of the story.
pub async fn install_links(
    client: &impl GenericClient,
    story: &Story,
    orders: &[LinkOrder],
    today: Date,
    until: DateTime<Utc>,
) -> Result<(), Error> {
    for link in &story.links {
        let of_link = orders.iter().filter(|order| order.link_code() == link.code);
        let uses = of_link.filter(|order| order.holds_use(until)).count();
        install_link(client, link, today, i32::try_from(uses).unwrap_or(i32::MAX)).await?;
    }
    for payment_type in [PaymentType::Credit, PaymentType::Pix] {
        install_route(client, story, payment_type, today).await?;
    }
    Ok(())
}

async fn install_route(
    client: &impl GenericClient,
    story: &Story,
    payment_type: PaymentType,
    today: Date,
) -> Result<(), Error> {
    let key = RouteKey {
        solution: Solution::PaymentLink,
        payment_type,
    };
    let company = Company::id_of(SANDBOX_API_COMPANY);
    let before = route_fetch(client, key, Some(company)).await?;
    let providers = route(SANDBOX_API_COMPANY, payment_type);
    let new = NewRoute {
        key,
        business_id: Some(company),
        providers: Some(&providers),
        valid_from: start_of(today) - Duration::days(100),
        set_by: story.staff(),
    };
    route_add(client, &before, &new).await
}

async fn install_link(
    client: &impl GenericClient,
    link: &StoryLink,
    today: Date,
    uses: i32,
) -> Result<(), Error> {
    let created_on = today - Duration::days(link.created_days_ago);
    let payer = [FeePayer::Seller, FeePayer::Buyer]
        .into_iter()
        .find(|payer| payer.as_str() == link.payer);
    let is_accepted = |kind: &_| link.payment_types.contains(kind);
    let fields = LinkFields {
        description: link.description.clone(),
        amount: link.amount,
        amount_min: link.amount_min,
        amount_max: link.amount_max,
        payment_types: PAYMENT_TYPES.into_iter().filter(is_accepted).collect(),
        installments_max: link.installments_max,
        payer: payer.unwrap_or(FeePayer::Seller),
        expires_on: link.expires_in_days.map(|days| today + Duration::days(days)),
        use_limit: if link.all_used {
            Some(uses.max(1))
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
    link_create(client, &new).await.map(drop)
}
