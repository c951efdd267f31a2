//! Why a file is refused: the name of what it is, and what to send instead.

use gateway_platform::reconciliation::ForeignFile;

const READABLE: &str =
    "Envie um retorno de cobrança CNAB 240 ou CNAB 400, ou o extrato eletrônico da Cielo na versão 15.";

pub fn refusal(foreign: &ForeignFile) -> String {
    let what = match foreign {
        ForeignFile::Empty => return "Escolha um arquivo.".to_owned(),
        ForeignFile::Remittance => "Este arquivo é uma remessa, que a empresa envia ao banco.",
        ForeignFile::Payments => {
            "Este arquivo é de pagamentos a fornecedores, salários ou tributos (CNAB 240)."
        }
        ForeignFile::AccountStatement => "Este arquivo é um extrato de conta corrente (CNAB 240).",
        ForeignFile::OtherReturn => "Este retorno CNAB 240 não tem movimentos de boletos (segmentos T e U).",
        ForeignFile::BankOfCnab400(bank) => {
            let bank = if bank.is_empty() { "sem código" } else { bank };
            return format!(
                "Este arquivo é um retorno CNAB 400 do banco {bank}, cujo layout não lemos. {READABLE}"
            );
        }
        ForeignFile::DirectDebits => "Este arquivo é de débito automático ou arrecadação (150 posições).",
        ForeignFile::CieloVersion(version) => {
            let version = version.trim_start_matches('0');
            let version = if version.is_empty() {
                "desconhecida"
            } else {
                version
            };
            return format!("Este arquivo é um extrato da Cielo na versão {version}. {READABLE}");
        }
        ForeignFile::CieloKind(kind) => {
            let content = match kind.as_str() {
                "15" => "negociação de recebíveis",
                "16" => "vendas por PIX",
                _ => "outro conteúdo",
            };
            return format!(
                "Este arquivo é o CIELO{kind} ({content}), que não tem pagamentos de cartão. {READABLE}"
            );
        }
        ForeignFile::Getnet => "Este arquivo é um extrato eletrônico da Getnet.",
        ForeignFile::Rede => "Este arquivo é um extrato eletrônico da Rede.",
        ForeignFile::Ofx => "Este arquivo é um extrato bancário em OFX.",
        ForeignFile::Pdf => "Este arquivo é um PDF.",
        ForeignFile::Spreadsheet => "Este arquivo é uma planilha.",
        ForeignFile::Compressed => "Este arquivo está compactado. Extraia o arquivo de dentro dele.",
        ForeignFile::Xml => "Este arquivo é uma página ou um arquivo XML.",
        ForeignFile::Csv => "Este arquivo é um CSV.",
        ForeignFile::Unknown => "Não reconhecemos o formato.",
    };
    format!("{what} {READABLE}")
}
