//! The Portuguese words for the codes of the wire types. They are the same as on the screens.

use chrono::{Datelike, NaiveDate, Weekday};
use gateway_environment::time_zone::TimeZone;
use ledger_domain::documents::Document;
use ledger_domain::transfer::{DestinationKind, Direction, TransferKind, TransferStatus};

use crate::wire::as_of::AccountName;
use crate::wire::author::{Author, AuthorKind};
use crate::wire::balance::BalanceMovement;
use crate::wire::person::SellerRoleName;
use crate::wire::sale::{PaymentType, SaleStatus};
use crate::wire::sale_detail::ReceivableStatus;
use crate::wire::transfer::{DestinationDetails, Transfer};

const SHORT_CODE_CHARACTERS: usize = 12;

/// The author's name, or a general word for authors without a name.
pub fn author(author: &Author) -> String {
    let kind = match author.kind {
        AuthorKind::Seller => "Usuário excluído",
        AuthorKind::Staff => "Equipe da plataforma",
        AuthorKind::Acquirer => "Adquirente",
        AuthorKind::Bank => "Banco",
        AuthorKind::Automatic => "Sistema",
        AuthorKind::Platform => "Plataforma",
    };
    author.name.clone().unwrap_or_else(|| kind.to_owned())
}

pub const fn sale_status(status: SaleStatus) -> &'static str {
    match status {
        SaleStatus::New | SaleStatus::Created => "Criado",
        SaleStatus::Pending => "Pendente",
        SaleStatus::Succeeded => "Aprovado",
        SaleStatus::Failed => "Falha",
        SaleStatus::Canceled => "Cancelado",
        SaleStatus::Refunded | SaleStatus::Reversed => "Estornado",
        SaleStatus::Dispute => "Contestado",
        SaleStatus::ChargedBack => "Chargeback",
    }
}

pub const fn receivable_status(status: ReceivableStatus) -> &'static str {
    match status {
        ReceivableStatus::Scheduled => "Agendado",
        ReceivableStatus::Settled => "Liquidado",
        ReceivableStatus::Accelerated => "Antecipado por cancelamento",
    }
}

/// The last twelve characters of a sale's id, by which users name it.
pub fn short_code(id: &str) -> String {
    let skipped = id.chars().count().saturating_sub(SHORT_CODE_CHARACTERS);
    id.chars().skip(skipped).collect::<String>().to_uppercase()
}

pub fn provider(number: u8) -> String {
    match number {
        1 => "Zoop".to_owned(),
        2 => "Iugu".to_owned(),
        3 => "Zoop V2".to_owned(),
        4 => "Valori".to_owned(),
        5 => "Entrepay".to_owned(),
        6 => "Barte".to_owned(),
        7 => "CeoPag".to_owned(),
        8 => "CeoPag P2".to_owned(),
        other => format!("#{other}"),
    }
}

/// Events that are missing here keep their type's name.
pub fn event(name: &str) -> &str {
    match name {
        "SaleCreated" => "Venda criada",
        "SaleCaptured" => "Venda capturada",
        "SaleFailed" => "Venda com falha",
        "SaleVoided" => "Venda cancelada antes da captura",
        "ReceivablesSettled" => "Parcelas liquidadas",
        "SaleCanceled" => "Venda cancelada",
        "SaleDisputed" => "Venda contestada",
        "DisputeConfirmed" => "Contestação confirmada",
        "DisputeWon" => "Contestação ganha",
        "SaleChargedBack" => "Chargeback",
        "TransferRequested" => "Saque solicitado",
        "TransferApprovalGiven" => "Primeira aprovação do saque",
        "TransferProcessing" => "Saque em processamento",
        "TransferApproved" => "Saque aprovado",
        "TransferRefused" => "Saque recusado",
        "TransferFailed" => "Falha no saque",
        "TransferReopened" => "Saque retomado",
        "ManualTransferMade" => "Ajuste manual",
        "TerminalRentalCharged" => "Aluguel cobrado",
        "TerminalRentalCanceled" => "Aluguel cancelado",
        "AmountHeld" => "Valor bloqueado",
        "AmountReleased" => "Valor liberado",
        other => other,
    }
}

pub fn weekday(date: NaiveDate) -> &'static str {
    match date.weekday() {
        Weekday::Sun => "domingo",
        Weekday::Mon => "segunda-feira",
        Weekday::Tue => "terça-feira",
        Weekday::Wed => "quarta-feira",
        Weekday::Thu => "quinta-feira",
        Weekday::Fri => "sexta-feira",
        Weekday::Sat => "sábado",
    }
}

/// A transfer's status. A partly approved transfer also shows the number of approvals.
pub fn transfer_status(transfer: &Transfer) -> String {
    let label = transfer.status.label();
    match (transfer.status, transfer.approvals.zip(transfer.approvals_needed)) {
        (TransferStatus::Pending, Some((given @ 1.., needed))) => {
            format!("{label} ({given} de {needed} aprovações)")
        }
        _ => label.to_owned(),
    }
}

pub fn solution(number: u8) -> String {
    match number {
        1 => "Maquininha".to_owned(),
        2 => "E-commerce".to_owned(),
        3 => "Info Produto".to_owned(),
        4 => "Link de pagamento".to_owned(),
        other => format!("#{other}"),
    }
}

pub fn payment(payment_type: PaymentType, installments: u8) -> String {
    match payment_type {
        PaymentType::Credit if installments > 1 => format!("Crédito {installments}x"),
        PaymentType::Credit => "Crédito à vista".to_owned(),
        PaymentType::Debit => "Débito".to_owned(),
        PaymentType::Boleto => "Boleto".to_owned(),
        PaymentType::Pix => "PIX".to_owned(),
    }
}

/// Brands that are missing here keep their code.
pub fn brand(code: &str) -> &str {
    match code {
        "alelo" => "Alelo",
        "amex" => "Amex",
        "aura" => "Aura",
        "banes" => "Banescard",
        "banese" => "Banese Card",
        "boleto" => "Boleto",
        "cabal" => "Cabal",
        "credtodos" => "Credtodos",
        "diners" => "Diners Club",
        "discover" => "Discover",
        "elo" => "Elo",
        "goodcard" => "GoodCard",
        "hiper" => "Hiper",
        "hipercard" => "Hipercard",
        "jcb" => "JCB",
        "maestro" => "Maestro",
        "mastercard" => "Mastercard",
        "visa" => "Visa",
        "visaelectron" => "Visa Electron",
        "vr" => "VR",
        other => other,
    }
}

pub const fn account(account: AccountName) -> &'static str {
    match account {
        AccountName::Receivable => "A receber",
        AccountName::Available => "Disponível",
        AccountName::InTransfer => "Saques em andamento",
        AccountName::HeldByStaff => "Bloqueado pela plataforma",
        AccountName::InDispute => "Bloqueado por contestação",
        AccountName::PlatformFees => "Taxas e tarifas da plataforma",
        AccountName::Clearing => "Compensação",
    }
}

/// The kind of a statement line. Kinds 2, 3 and 4 cover several movements, each with its own name.
pub fn movement_kind(line: &BalanceMovement) -> String {
    let name = match (line.kind, line.movement.as_str()) {
        (0, _) => "Venda",
        (1, _) => "Cancelamento ou contestação",
        (2, "rental") => "Aluguel",
        (2, _) => "Saque",
        (3, "hold") => "Bloqueio",
        (3, "release") => "Liberação",
        (3, _) => "Ajuste manual",
        (4, "rental_canceled") => "Devolução de aluguel",
        (4, _) => "Devolução de saque",
        (other, _) => return format!("#{other}"),
    };
    name.to_owned()
}

/// The destination of a withdrawal, or the kind of another transfer.
pub fn destination(transfer: &Transfer) -> String {
    match (transfer.kind, transfer.direction) {
        (TransferKind::Withdrawal, _) => withdrawal_destination(transfer),
        (_, Some(Direction::Out)) => "Ajuste manual: débito".to_owned(),
        (_, Some(Direction::In)) => "Ajuste manual: crédito".to_owned(),
        (kind, None) => kind.label().to_owned(),
    }
}

fn withdrawal_destination(transfer: &Transfer) -> String {
    match (&transfer.destination_details, transfer.destination) {
        (Some(DestinationDetails::Pix(pix)), _) => format!("PIX {}", document(&pix.key)),
        (Some(DestinationDetails::BankAccount(account)), _) => format!(
            "{} · ag. {} · conta {}",
            account.bank_name,
            with_digit(&account.routing_number, account.routing_digit.as_deref()),
            with_digit(&account.account_number, Some(&account.account_digit)),
        ),
        (None, Some(DestinationKind::BankAccount)) => "Conta bancária".to_owned(),
        (None, Some(DestinationKind::Pix)) => "Chave PIX".to_owned(),
        (None, None) => "Sem destino".to_owned(),
    }
}

fn with_digit(number: &str, digit: Option<&str>) -> String {
    match digit.filter(|digit| !digit.is_empty()) {
        Some(digit) => format!("{number}-{digit}"),
        None => number.to_owned(),
    }
}

pub const fn seller_role(role: SellerRoleName) -> &'static str {
    match role {
        SellerRoleName::Owner => "Proprietário",
        SellerRoleName::Admin => "Administrador",
        SellerRoleName::Operator => "Operador",
    }
}

pub fn admin_role(name: &str) -> &str {
    match name {
        "owner" => "Proprietário",
        "admin" => "Administrador",
        "financial" => "Financeiro",
        "commercial" => "Comercial",
        "commercial-supervisor" => "Supervisor Comercial",
        "sac" => "SAC",
        "operator" => "Operador",
        other => other,
    }
}

pub const fn active(is_active: bool) -> &'static str {
    if is_active { "Ativo" } else { "Inativo" }
}

/// A zone is named by its city, as on the screens.
pub fn zone(zone: TimeZone) -> String {
    match zone.as_str() {
        "America/Sao_Paulo" => "Brasília".to_owned(),
        "America/Noronha" => "Fernando de Noronha".to_owned(),
        "America/Belem" => "Belém".to_owned(),
        "America/Maceio" => "Maceió".to_owned(),
        "America/Araguaina" => "Araguaína".to_owned(),
        "America/Eirunepe" => "Eirunepé".to_owned(),
        "America/Santarem" => "Santarém".to_owned(),
        "America/Cuiaba" => "Cuiabá".to_owned(),
        other => {
            let city = other.rsplit('/').next().unwrap_or(other);
            city.replace('_', " ")
        }
    }
}

/// A CPF or a CNPJ with its mask. Any other text is returned unchanged.
pub fn document(text: &str) -> String {
    Document::parse(text).map_or_else(|_| text.to_owned(), |document| document.to_string())
}
