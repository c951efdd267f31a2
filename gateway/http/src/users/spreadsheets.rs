//! The lists of users: a company's team, the seller users of all companies, and staff.

use chrono::{DateTime, Utc};

use super::bodies::admin_user::AdminUser;
use super::bodies::seller_user::{SellerRoleName, SellerUser, StaffSellerUser};
use crate::spreadsheet::{Cell, Column, Table, column, labels, text, text_or_empty};

pub const TEAM: Table<SellerUser> = Table {
    name: "usuarios",
    columns: TEAM_COLUMNS,
};

pub const SELLER_USERS: Table<StaffSellerUser> = Table {
    name: "usuarios",
    columns: SELLER_COLUMNS,
};

pub const STAFF_USERS: Table<AdminUser> = Table {
    name: "usuarios-administrativos",
    columns: STAFF_COLUMNS,
};

const TEAM_COLUMNS: &[Column<SellerUser>] = &[
    column("Nome", 34, |user| text(&user.name)),
    column("E-mail", 34, |user| text(&user.email)),
    column("CPF", 15, |user| text(labels::document(&user.document))),
    column("Grupo", 14, |user| {
        text_or_empty(user.role.map(seller_role_label))
    }),
    column("Empresas", 60, |user| {
        let named = user.businesses.iter().map(|business| business.name.as_str());
        let others = match user.other_businesses {
            0 => None,
            more => Some(format!("mais {more}")),
        };
        text(listed(named.map(str::to_owned).chain(others)))
    }),
    column("Status", 10, |user| text(active_label(user.active))),
    column("Último acesso", 17, |user| last_sign_in(user.last_sign_in_at)),
];

const SELLER_COLUMNS: &[Column<StaffSellerUser>] = &[
    column("Nome", 34, |user| text(&user.name)),
    column("E-mail", 34, |user| text(&user.email)),
    column("CPF", 15, |user| text(labels::document(&user.document))),
    column("Grupos", 30, |user| {
        let mut groups: Vec<_> = vec![];
        for business in &user.businesses {
            let role = seller_role_label(business.role).to_owned();
            if !groups.contains(&role) {
                groups.push(role);
            }
        }
        text(listed(groups.into_iter()))
    }),
    column("Empresas", 60, |user| {
        let named = user.businesses.iter().map(|business| {
            let role = seller_role_label(business.role);
            format!("{} ({role})", business.name)
        });
        text(listed(named))
    }),
    column("Status", 10, |user| text(active_label(user.active))),
    column("Último acesso", 17, |user| last_sign_in(user.last_sign_in_at)),
];

const STAFF_COLUMNS: &[Column<AdminUser>] = &[
    column("Nome", 34, |user| text(&user.name)),
    column("E-mail", 34, |user| text(&user.email)),
    column("Grupos", 44, |user| {
        let groups = user.roles.iter().map(|role| admin_role_label(role).to_owned());
        text(listed(groups))
    }),
    column("Status", 10, |user| text(active_label(user.active))),
    column("Último acesso", 17, |user| last_sign_in(user.last_sign_in_at)),
];

fn last_sign_in(at: Option<DateTime<Utc>>) -> Cell {
    at.map_or_else(|| text("Nunca acessou"), Cell::Instant)
}

fn listed(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

const fn seller_role_label(role: SellerRoleName) -> &'static str {
    match role {
        SellerRoleName::Owner => "Proprietário",
        SellerRoleName::Admin => "Administrador",
        SellerRoleName::Operator => "Operador",
    }
}

fn admin_role_label(name: &str) -> &str {
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

const fn active_label(is_active: bool) -> &'static str {
    if is_active { "Ativo" } else { "Inativo" }
}
