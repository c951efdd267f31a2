//! The sales that a settlement row names in another way than by their external id: those of payment attempts of orders,
//! by the acquirer's id of the charge or by our order's reference, and others by the names of their payment.

use std::collections::{BTreeSet, HashMap};

use ledger_domain::SaleId;
use ledger_domain::sale::Provider;
use projections::expected_payments::sales_by_name;
use tokio_postgres::GenericClient;
use tokio_postgres::types::Type;

use super::{Result, provider_number};

/// The sale of each name that is an acquirer's charge id, the reference of one of our orders, or a payment's name.
pub(super) struct Charges {
    of_orders: HashMap<(i16, String), SaleId>,
    of_payments: HashMap<(i16, String), SaleId>,
}

impl Charges {
    pub(super) async fn read(client: &impl GenericClient, names: &[(Provider, &str)]) -> Result<Self> {
        let mut by_provider: HashMap<Provider, Vec<&str>> = HashMap::new();
        for (provider, name) in names {
            by_provider.entry(*provider).or_default().push(name);
        }
        let names: BTreeSet<(i16, &str)> = names
            .iter()
            .map(|(provider, name)| (provider_number(*provider), *name))
            .collect();
        let (providers, names): (Vec<i16>, Vec<&str>) = names.into_iter().unzip();
        // The reference of an order that was paid twice at the acquirer names no sale: which one is meant is unknown.
        let rows = client
            .query_typed(
                "WITH given AS (SELECT * FROM unnest($1::int2[], $2::text[]) AS given (provider, name))
                 SELECT given.provider, given.name, a.sale_id, 1 AS choice
                   FROM given JOIN order_attempt a ON a.provider = given.provider AND a.acquirer_id = given.name
                 UNION ALL
                 SELECT given.provider, given.name, (array_agg(a.sale_id))[1], 2
                   FROM given
                   JOIN link_order o ON o.reference = given.name COLLATE \"C\"
                   JOIN order_attempt a ON a.order_id = o.id AND a.provider = given.provider AND a.paid_at IS NOT NULL
                  GROUP BY given.provider, given.name HAVING count(*) = 1
                 ORDER BY choice DESC",
                &[(&providers, Type::INT2_ARRAY), (&names, Type::TEXT_ARRAY)],
            )
            .await?;
        let sales = rows
            .iter()
            .map(|row| ((row.get(0), row.get(1)), SaleId::from_uuid(row.get(2))));
        // Of two rows with the same name, the last one stays in the map: that of the charge id.
        let of_orders = sales.collect();
        let mut of_payments = HashMap::new();
        for (provider, names) in by_provider {
            for (name, sale) in sales_by_name(client, provider, &names).await? {
                of_payments.insert((provider_number(provider), name), sale);
            }
        }
        Ok(Self {
            of_orders,
            of_payments,
        })
    }

    /// The sales of orders that have these names, in the order of the names.
    pub(super) fn named<'a>(
        &'a self,
        provider: Provider,
        names: &'a [String],
    ) -> impl Iterator<Item = SaleId> + 'a {
        names.iter().filter_map(move |name| {
            self.of_orders
                .get(&(provider_number(provider), name.clone()))
                .copied()
        })
    }

    /// The sales whose payment has these names, in the order of the names.
    pub(super) fn named_by_payment<'a>(
        &'a self,
        provider: Provider,
        names: &'a [String],
    ) -> impl Iterator<Item = SaleId> + 'a {
        names.iter().filter_map(move |name| {
            self.of_payments
                .get(&(provider_number(provider), name.clone()))
                .copied()
        })
    }
}
