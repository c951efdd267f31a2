//! The audit log as one list over all records: who changed what, when, from where, and the values before and after.

use std::net::IpAddr;

use chrono::{DateTime, Utc};
use gateway_platform::list::{Conditions, List, Order};
use gateway_platform::word_search::WordSearch;
use ledger_domain::BusinessId;
use ledger_domain::ids::UserId;
use ledger_rows::row;
use projections::{SortOrder, TimeRange};
use serde_json::Value;

use super::search::{ADMIN_WORDS, SELLER_WORDS};

ledger_domain::words! {
    /// seller: a user of a company. admin: a user of the staff. system: the program, such as its command line or a job.
    pub enum AuditAudience {
        Seller = "seller" => "Vendedor",
        Admin = "admin" => "Equipe",
        System = "system" => "Sistema",
    }
}

ledger_domain::words! {
    /// The kind of a record in the audit log.
    pub enum AuditSubject {
        Business = "business" => "Empresa",
        SellerUser = "seller_user" => "Usuário de empresa",
        AdminUser = "admin_user" => "Usuário da equipe",
        Transfer = "transfer" => "Saque ou ajuste",
        /// Holds and releases from before holds had ids.
        Balance = "balance" => "Saldo",
        Hold = "hold" => "Retenção",
        AdjustmentRequest = "adjustment_request" => "Pedido de ajuste",
        Sale = "sale" => "Venda",
        Buyer = "buyer" => "Comprador",
        PaymentLink = "payment_link" => "Link de pagamento",
        Terminal = "terminal" => "Maquininha",
        Plan = "plan" => "Plano de venda",
        ReceivingPlan = "receiving_plan" => "Plano de recebimento",
        PlanChange = "plan_change" => "Mudança de plano",
        AcquirerRoute = "acquirer_route" => "Ordem de adquirentes",
        AcquirerRate = "acquirer_rate" => "Taxa de adquirente",
        PlatformSetting = "platform_setting" => "Regra da plataforma",
        Tenant = "tenant" => "Marca",
        Holiday = "holiday" => "Feriado",
        ContactMessage = "contact_message" => "Mensagem",
        Exception = "exception" => "Exceção",
        Payout = "payout" => "Pagamento de saque",
        Refund = "refund" => "Estorno",
        OrderAttempt = "order_attempt" => "Cobrança",
        Mail = "mail" => "E-mail",
        SettlementImport = "settlement_import" => "Arquivo de liquidação",
        SettlementDifference = "settlement_difference" => "Diferença de conciliação",
        ReportEmail = "report_email" => "Relatório por e-mail",
        DemoStory = "demo_story" => "Demonstração",
    }
}

row! {
    /// An entry with the present name of its author.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AuditLogEntry {
        pub id: i64 = "a.id",
        pub at: DateTime<Utc> = "a.at",
        pub audience: AuditAudience = "a.audience",
        pub actor_id: Option<UserId> = "a.actor_id",
        pub actor_name: Option<String> = "coalesce(staff.name, seller.name)",
        pub action: String = "a.action",
        pub subject: AuditSubject = "a.subject",
        pub subject_id: String = "a.subject_id",
        pub address: Option<IpAddr> = "a.address",
        pub before: Option<Value> = "a.before",
        pub after: Option<Value> = "a.after",
    }
}

/// Selects entries. A missing criterion does not restrict. Each criterion has an index in the order of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditLogFilter {
    /// The user who made the change, by name or e-mail.
    pub person: Option<WordSearch>,
    pub audience: Option<AuditAudience>,
    pub subject: Option<AuditSubject>,
    /// The company that the entry names, or one of its records.
    pub business_id: Option<BusinessId>,
    pub record: Option<String>,
    pub address: Option<IpAddr>,
    pub range: TimeRange,
    pub order: SortOrder,
}

impl AuditLogFilter {
    /// What a user types is the address of a request, or else the id of a record.
    pub fn found_by(self, text: Option<String>) -> Self {
        let address = text.as_deref().and_then(|text| text.parse().ok());
        Self {
            address,
            record: text.filter(|_| address.is_none()),
            ..self
        }
    }
}

impl List for AuditLogFilter {
    type Row = AuditLogEntry;
    const TABLE: &'static str = "audit_log a";
    const JOINS: &'static str = "LEFT JOIN admin_user staff ON a.audience = 'admin' AND staff.id = a.actor_id
                                 LEFT JOIN seller_user seller ON a.audience = 'seller' AND seller.id = a.actor_id";

    fn conditions<'a>(&'a self, list: &mut Conditions<'a>) {
        if let Some(person) = &self.person {
            let terms = list.parameter(person.terms());
            let staff = ADMIN_WORDS.condition(Some(person), &terms);
            let sellers = SELLER_WORDS.condition(Some(person), &terms);
            list.and(format!(
                "a.actor_id IN (SELECT u.id FROM admin_user u WHERE {staff}
                                UNION ALL SELECT u.id FROM seller_user u WHERE {sellers})"
            ));
        }
        list.equals("a.audience", &self.audience);
        list.equals("a.subject", &self.subject);
        list.equals("a.subject_id", &self.record);
        list.equals("a.address", &self.address);
        if let Some(company) = &self.business_id {
            let id = list.parameter(company);
            list.and(format!(
                "a.id IN (SELECT n.id FROM audit_log n
                           WHERE coalesce(n.after ->> 'business_id', n.before ->> 'business_id') = 'biz_' || {id}
                          UNION
                          SELECT own.id FROM audit_log own
                           WHERE own.subject_id IN (
                                     SELECT 'biz_' || {id}
                                     UNION ALL SELECT 'ter_' || t.id FROM terminal t WHERE t.business_id = {id}
                                     UNION ALL SELECT 'lnk_' || l.id FROM payment_link l WHERE l.business_id = {id}))"
            ));
        }
        if let Some(from) = &self.range.from {
            let from = list.parameter(from);
            list.and(format!("a.at >= {from}"));
        }
        if let Some(until) = &self.range.until {
            let until = list.parameter(until);
            list.and(format!("a.at < {until}"));
        }
    }

    fn order(&self) -> Order {
        Order::by(&["a.at", "a.id"], self.order)
    }
}
