//! The problems of refused changes of settings. Most texts are those of the refusals.

use gateway_identity::audience::Audience;
use gateway_identity::users::user_names;
use gateway_platform::settings::SettingKey;
use gateway_platform::settings::change::SettingError;
use tokio_postgres::GenericClient;

use crate::problem::{Problem, Result};

/// The result of a change, or its problem with the name of the user who changed the setting.
pub(super) async fn answered<T>(client: &impl GenericClient, result: Result<T, SettingError>) -> Result<T> {
    match result {
        Err(SettingError::ChangedMeanwhile(key, Some(by))) => {
            let names = user_names(client, Audience::Admin, &[by]).await?;
            Err(changed_meanwhile(key, names.get(&by).map(String::as_str)))
        }
        result => Ok(result?),
    }
}

impl From<SettingError> for Problem {
    fn from(error: SettingError) -> Self {
        let message = error.to_string();
        match error {
            SettingError::Database(error) => error.into(),
            SettingError::ChangedMeanwhile(key, _) => changed_meanwhile(key, None),
            SettingError::TooEarly(_) => Self::field("valid_from", &message),
            SettingError::NothingScheduled => Self::conflict(message),
        }
    }
}

/// A 409 that says who changed which setting.
fn changed_meanwhile(key: SettingKey, by: Option<&str>) -> Problem {
    let who = by.unwrap_or("Outra pessoa");
    let setting = match key {
        SettingKey::TerminalRental => "o aluguel da maquininha",
        SettingKey::TwoApprovalsAbove => "o valor de saque que exige duas aprovações",
        SettingKey::TwoPersonPlanChanges => "a aprovação de mudanças de planos",
        SettingKey::MarkedDestinationDays => "os dias de destaque de um novo destino",
        SettingKey::BuyerDataDays => "o prazo dos dados de compradores",
        SettingKey::TwoPersonCompanyApprovals => "a aprovação de empresas por duas pessoas",
        SettingKey::DocumentsOfPf => "os documentos de pessoas físicas",
        SettingKey::DocumentsOfPj => "os documentos de pessoas jurídicas",
        SettingKey::CreditsAloneUpTo => "o limite de créditos manuais",
        SettingKey::RemovalsAloneUpTo => "o limite de débitos manuais",
        SettingKey::ReleasesAloneUpTo => "o limite de liberações",
        SettingKey::PlanExceptionsAloneUpTo => "o limite de exceções de planos",
        SettingKey::ReturnedWithdrawalFee => "a tarifa de saques devolvidos",
    };
    Problem::conflict(format!(
        "{who} alterou {setting} enquanto você editava. Feche e abra de novo para ver o valor atual."
    ))
}
