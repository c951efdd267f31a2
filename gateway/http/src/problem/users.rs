//! The problems of changes to users. The rules are in `gateway_identity::users`.

use axum::http::StatusCode;
use gateway_identity::fields;
use gateway_identity::users::UserError;
use gateway_identity::users::authority::AuthorityRefusal;
use gateway_identity::users::staff_rules::StaffRefusal;

use super::{COMPANY_UNKNOWN, GROUP_NOT_ASSIGNABLE, Problem};

impl From<UserError> for Problem {
    fn from(error: UserError) -> Self {
        use UserError as E;
        match error {
            // Does not reveal whether another user has this address.
            E::EmailTaken => Self::unprocessable(
                "Não foi possível salvar com estes dados. Confira cada um; se estiverem certos, fale com o suporte.",
            ),
            E::Unknown => Self::not_found(),
            E::CompanyUnknown => Self::field("business_id", COMPANY_UNKNOWN),
            E::ListedCompanyUnknown => Self::field("businesses_ids", COMPANY_UNKNOWN),
            E::ActorAccessEnded => Self::forbidden(),
            E::Authority(refusal) => refusal.into(),
            E::Staff(refusal) => refusal.into(),
            E::Database(error) => error.into(),
        }
    }
}

impl From<AuthorityRefusal> for Problem {
    fn from(refusal: AuthorityRefusal) -> Self {
        use AuthorityRefusal as R;
        match refusal {
            R::NotAllCompanies => Self::new(
                StatusCode::FORBIDDEN,
                "Só quem administra todas as empresas deste usuário pode alterar esses dados.",
            ),
            R::OwnAccess => Self::new(StatusCode::FORBIDDEN, "Você não pode alterar seu próprio acesso."),
            R::NotManaged => Self::new(
                StatusCode::FORBIDDEN,
                "Você não pode mudar o acesso deste usuário nesta empresa.",
            ),
            R::RoleNotAssignable => Self::new(StatusCode::FORBIDDEN, GROUP_NOT_ASSIGNABLE),
            R::RoleNotAssignableInListedCompany => Self::field("role_id", GROUP_NOT_ASSIGNABLE),
            R::RoleMissing => Self::field("role_id", fields::GROUP_MISSING),
            R::NoCompany => Self::field("businesses_ids", fields::COMPANY_MISSING),
        }
    }
}

impl From<StaffRefusal> for Problem {
    fn from(refusal: StaffRefusal) -> Self {
        use StaffRefusal as R;
        match refusal {
            R::OwnRecord => Self::conflict(
                "Você não pode desativar nem excluir seu próprio usuário, nem mudar o grupo dele.",
            ),
            R::OwnProfile => Self::conflict("Mude seu nome, seu e-mail e sua senha em Minha conta."),
            R::OwnersOnly => Self::new(
                StatusCode::FORBIDDEN,
                "Só um proprietário pode alterar outro proprietário.",
            ),
            R::LastOwner => Self::conflict("Este é o último proprietário ativo."),
            R::LastAdmin => Self::conflict("Este é o último administrador ativo."),
            R::RoleNotAssignable => Self::field("roles", fields::GROUP_UNKNOWN),
        }
    }
}
