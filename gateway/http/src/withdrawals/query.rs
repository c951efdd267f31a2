//! The query parameters of the lists of transfers in both panels, and of staff's totals.

use ledger_domain::BusinessId;
use ledger_domain::transfer::{TransferKind, TransferStatus};
use projections::withdrawals::{TransferCursor, TransferFilter};
use projections::{Next, SortOrder, TimeRange};
use utoipa::openapi::{RefOr, Schema};

use crate::edge::query::numbered;
use crate::edge::{Paging, QueryValue, query};
use crate::shared::whole_name::WholeName;

pub struct TransferQuery {
    pub filter: TransferFilter,
    pub paging: Paging,
    pub next: Option<Next<TransferCursor>>,
}

query! {
    impl FromQuery for TransferQuery {
        /// The company. Sellers may leave it out if a header or a cookie names it, or if they have only one company.
        /// Staff leave it out to list all companies.
        business_id: Option<BusinessId>,
        /// 0 pending, 1 approved, 2 processing, 3 refused, 4 failed.
        #[example = 0]
        status: Option<TransferStatus>,
        range: ..TimeRange,
        /// A name that the bank gave the payment or its return: PIX end-to-end id, or control number of a TED. The whole
        /// name; upper and lower case are the same.
        #[example = "E60746948202611231403A1b2C3d4E5f"]
        name: Option<WholeName>,
        /// Order by the instant of the request; the default is desc.
        order: SortOrder = SortOrder::Desc,
        /// The cursor from `meta.next` of an earlier response. If it is given, `page` is ignored.
        next: Option<Next<TransferCursor>>,
        paging: ..Paging,
    } => Self {
        filter: TransferFilter {
            business_id,
            statuses: status.into_iter().collect(),
            range,
            order,
            name: name.map(|WholeName(name)| name),
            ..TransferFilter::default()
        },
        paging,
        next,
    }
}

/// The filters of staff's list.
pub struct StaffTransferQuery(pub TransferQuery);

query! {
    impl FromQuery for StaffTransferQuery {
        list: ..TransferQuery,
        /// 0 withdrawal, 1 adjustment by staff, 2 terminal rental.
        #[example = 0]
        kind: Option<TransferKind>,
        /// 1: only withdrawals with a `destination_changed_at`.
        new_destination: bool = false,
        /// pending, in_progress and ended are the withdrawals of the statuses 0, of 2, and of 1, 3 and 4. other: the
        /// transfers that are no withdrawals. With a stage, `status` names one of its statuses, and `kind` is ignored.
        #[example = "pending"]
        stage: Option<TransferStage>,
    } => {
        let mut list = list;
        list.filter.kind = kind;
        list.filter.new_destination = new_destination;
        if let Some(stage) = stage {
            stage.restrict(&mut list.filter);
        }
        Self(list)
    }
}

ledger_domain::words! {
    /// How far withdrawals are, and the transfers that are none.
    pub enum TransferStage {
        Pending = "pending" => "Pendentes",
        InProgress = "in_progress" => "Em andamento",
        Ended = "ended" => "Concluídos",
        Other = "other" => "Ajustes e aluguéis",
    }
}

impl TransferStage {
    /// The statuses of its withdrawals; empty for the transfers that are none.
    pub const fn statuses(self) -> &'static [TransferStatus] {
        match self {
            Self::Pending => &[TransferStatus::Pending],
            Self::InProgress => &[TransferStatus::Processing],
            Self::Ended => &[
                TransferStatus::Approved,
                TransferStatus::Refused,
                TransferStatus::Failed,
            ],
            Self::Other => &[],
        }
    }

    fn restrict(self, filter: &mut TransferFilter) {
        filter.others = self == Self::Other;
        filter.kind = (self != Self::Other).then_some(TransferKind::Withdrawal);
        if filter.statuses.is_empty() {
            filter.statuses = self.statuses().to_vec();
        }
    }
}

query! {
    /// The filters of staff's totals: the company, the kind and the period of the list.
    pub struct TransferTotalsQuery {
        /// The company. All companies if it is left out.
        business_id: Option<BusinessId>,
        /// 0 withdrawal, 1 adjustment by staff, 2 terminal rental.
        #[example = 0]
        kind: Option<TransferKind>,
        range: ..TimeRange,
    }
}

/// The filters of the withdrawal queue, a subset of `TransferQuery`'s.
pub struct WithdrawQuery(pub TransferQuery);

query! {
    impl FromQuery for WithdrawQuery {
        /// The company. Staff leave it out to list all companies.
        business_id: Option<BusinessId>,
        /// Order by the instant of the request; the default is desc.
        order: SortOrder = SortOrder::Desc,
        paging: ..Paging,
    } => Self(TransferQuery {
        filter: TransferFilter {
            business_id,
            order,
            ..TransferFilter::default()
        },
        paging,
        next: None,
    })
}

/// The OpenAPI document lists the numbers. The words of the domain are accepted as well.
impl QueryValue for TransferStatus {
    const INVALID: &'static str = "Deve ser 0, 1, 2, 3 ou 4.";

    fn schema() -> RefOr<Schema> {
        numbered(Self::ALL.iter().map(|status| status.number()))
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}

impl QueryValue for TransferKind {
    const INVALID: &'static str = "Deve ser 0, 1 ou 2.";

    fn schema() -> RefOr<Schema> {
        numbered(Self::ALL.iter().map(|kind| kind.number()))
    }

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text).ok()
    }
}
