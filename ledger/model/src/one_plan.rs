//! Reference data with one plan for every business, and sales that the plan accepts.

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use ledger_domain::business::{BusinessCommand, CaptureSale, CompanyStatus, ContextRequest, SaleContext};
use ledger_domain::calendar::{Calendar, Instant};
use ledger_domain::fees::{MdrFees, PixFee, PlanKind, PlanTerms};
use ledger_domain::sale::{CardBrand, PaymentNames, PaymentType, Provider, SaleFacts, Solution};
use ledger_domain::{BusinessId, Cents, PlanId, Rate, SaleId};
use tokio_postgres::Client;
use uuid::Uuid;

use ledger_store::{ReferenceData, RememberedContexts};

/// 2 % on debit, 3 % on credit without advance, 1 % on PIX, R$ 1,99 a boleto. Installments of credit are due every 30
/// days; other sales settle after 30 days.
#[derive(Debug, Clone, Copy, Default)]
pub struct OnePlan;

static TERMS: LazyLock<Arc<PlanTerms>> = LazyLock::new(|| {
    let rate = |percent| Rate::parse(percent).expect("a rate");
    let fees = MdrFees {
        debit: rate("2"),
        credit_1: rate("3"),
        credit_2to6: rate("3"),
        credit_7to12: rate("3"),
        credit_13to21: rate("3"),
        advance: rate("0"),
    };
    Arc::new(PlanTerms {
        plan_id: PlanId::from_uuid(Uuid::from_u128(1)),
        name: "Um plano".to_owned(),
        version: 1,
        solution: Solution::CardMachine,
        kind: PlanKind::Mdr {
            visamaster: fees.clone(),
            others: fees,
        },
        percentage_rate: rate("0"),
        flat_rate: Cents::ZERO,
        settlement_days: 30,
        boleto_fee: Cents::new(199),
        pix_fee: PixFee::Percent(rate("1")),
    })
});

static CALENDAR: LazyLock<Arc<Calendar>> = LazyLock::new(Arc::default);

impl OnePlan {
    pub fn context(request: &ContextRequest) -> SaleContext {
        Self::context_with(request, TERMS.clone())
    }

    /// Whether every company is unknown while the reference data has this version: so it is at every fourth version.
    pub const fn is_unknown_at(version: i64) -> bool {
        version % 4 == 3
    }

    /// The context while the reference data has this version. The plan has the same version, so an event shows the
    /// version on which it was decided.
    pub fn context_at_version(request: &ContextRequest, version: i64) -> SaleContext {
        if Self::is_unknown_at(version) {
            return SaleContext::unknown(request.business_id, request.terms_at);
        }
        let terms = PlanTerms {
            version: u32::try_from(version).unwrap_or(u32::MAX),
            ..PlanTerms::clone(&TERMS)
        };
        Self::context_with(request, Arc::new(terms))
    }

    fn context_with(request: &ContextRequest, terms: Arc<PlanTerms>) -> SaleContext {
        SaleContext {
            business_id: request.business_id,
            company_status: CompanyStatus::Active,
            terms: Some(terms),
            terms_at: request.terms_at,
            terminal_owner: None,
            calendar: CALENDAR.clone(),
            reserve: None,
        }
    }
}

#[async_trait]
impl ReferenceData for OnePlan {
    /// Nothing is remembered: `contexts` needs no database.
    fn remembered(&self, _: &[ContextRequest]) -> Option<RememberedContexts> {
        None
    }

    async fn contexts(
        &self,
        _client: &Client,
        requests: &[ContextRequest],
    ) -> Result<Vec<SaleContext>, tokio_postgres::Error> {
        Ok(requests.iter().map(Self::context).collect())
    }
}

/// R$ 100,00 on Visa in one installment.
pub fn sale(sale_id: SaleId) -> SaleFacts {
    SaleFacts {
        sale_id,
        provider: Provider::Zoop,
        external_id: sale_id.uuid().simple().to_string(),
        solution: Solution::CardMachine,
        payment_type: PaymentType::Credit,
        card_brand: Some(CardBrand::Visa),
        installments: 1,
        amount: Cents::new(10_000),
        terminal: None,
        payment_link_code: None,
        card_last_four: Some("4242".to_owned()),
        authorization_code: Some("123456".to_owned()),
        names: PaymentNames::default(),
    }
}

pub fn capture(business_id: BusinessId, sale_id: SaleId, occurred_at: Instant) -> BusinessCommand {
    let context = SaleContext::unknown(business_id, occurred_at);
    BusinessCommand::CaptureSale(CaptureSale {
        sale: sale(sale_id),
        occurred_at,
        context,
    })
}
