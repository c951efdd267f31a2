//! The page of buyers. The seller, the description, the amount and the tenant's colors are written into it, so that the
//! first paint shows them. No session is read.

use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{Html, IntoResponse, Response};
use gateway_formats::short_code::OrderReference;
use gateway_platform::links::link_by_code;
use gateway_platform::orders::{OrderKey, order_view};
use gateway_platform::settings::Tenant;
use tokio_postgres::{Client, Error};

use super::{BRANDING_WAIT_MAX, REVALIDATE, branding, read_page, with_meta, within_quotes};
use crate::AppState;
use crate::edge::headers::{checkout_policy, new_nonce};

/// The subject of a checkout address.
#[derive(Debug, PartialEq, Eq)]
pub enum CheckoutPage<'a> {
    /// `/pl/{code}`
    Link(&'a str),
    /// `/transacao/{id}/status`
    Order(&'a str),
    /// `/b/{id}`
    Boleto(&'a str),
}

impl<'a> CheckoutPage<'a> {
    /// Matches the routes of the panel `open` in fixtures/access/screens.tsv.
    pub fn of_path(path: &'a str) -> Option<Self> {
        let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
        match segments[..] {
            ["pl", code] => Some(Self::Link(code)),
            ["transacao", id, "status"] => Some(Self::Order(id)),
            ["b", id] => Some(Self::Boleto(id)),
            _ => None,
        }
    }

    /// The path of the call that is preloaded: the page makes it first. The browser starts it together with the load of
    /// the script.
    fn first_call(&self) -> Option<String> {
        match self {
            // The page's script asks for the code in capitals. The browser uses the preloaded answer only for the same
            // address, byte by byte.
            Self::Link(code) if is_plain(code) => Some(format!("/api/pl/{}", code.to_uppercase())),
            Self::Order(id) if is_plain(id) => Some(format!("/api/transactions/{id}/status")),
            _ => None,
        }
    }
}

/// Whether the id needs no escaping in an address and in the header `Link`.
fn is_plain(id: &str) -> bool {
    id.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

/// The texts at the top of the page.
#[derive(Debug, Default, PartialEq, Eq)]
struct Summary {
    seller: String,
    description: String,
    /// The amount in reais of a link, or `OPEN_AMOUNT`. For an order, the total of its attempt.
    amount: String,
}

/// For a link on which the buyer chooses the amount.
const OPEN_AMOUNT: &str = "Você escolhe o valor";

pub async fn serve(state: &AppState, checkout: &CheckoutPage<'_>, label: &str) -> Response {
    let nonce = new_nonce();
    let headers = [
        (
            header::CONTENT_SECURITY_POLICY,
            checkout_policy(&nonce, &state.acquirers.token_origins()),
        ),
        (header::CACHE_CONTROL, REVALIDATE),
    ];
    let built = match read_page(state, "checkout/index.html").await {
        Ok(built) => built,
        Err(not_built) => return (headers, not_built).into_response(),
    };
    let ((tenant, _), summary) = tokio::join!(branding(state, label), summary(state, checkout));
    let page = fill_page(&built, &tenant, summary.as_ref(), &nonce);
    (headers, preload(checkout), Html(page)).into_response()
}

fn preload(checkout: &CheckoutPage<'_>) -> Option<[(HeaderName, HeaderValue); 1]> {
    let link = format!("<{}>; rel=preload; as=fetch; crossorigin", checkout.first_call()?);
    Some([(header::LINK, HeaderValue::from_str(&link).ok()?)])
}

/// `None` if no link or order has this address, or if the database does not answer. The page's script reports both.
async fn summary(state: &AppState, checkout: &CheckoutPage<'_>) -> Option<Summary> {
    let read = tokio::time::timeout(BRANDING_WAIT_MAX, read_summary(state, checkout)).await;
    read.unwrap_or_else(|late| Err(late.to_string()))
        .unwrap_or_else(|error| {
            tracing::warn!(error, "a page of the checkout is sent without its summary");
            None
        })
}

async fn read_summary(state: &AppState, checkout: &CheckoutPage<'_>) -> Result<Option<Summary>, String> {
    let client = state.pool.get().await.map_err(|error| error.to_string())?;
    let read = match checkout {
        CheckoutPage::Link(code) => of_link(&client, code).await,
        CheckoutPage::Order(id) | CheckoutPage::Boleto(id) => of_order(&client, id).await,
    };
    read.map_err(|error| error.to_string())
}

async fn of_link(client: &Client, code: &str) -> Result<Option<Summary>, Error> {
    let found = link_by_code(client, code).await?;
    Ok(found.map(|(link, seller)| Summary {
        seller: seller.name,
        description: link.fields.description,
        amount: link
            .fields
            .amount
            .map_or_else(|| OPEN_AMOUNT.to_owned(), |amount| amount.to_string()),
    }))
}

async fn of_order(client: &Client, id: &str) -> Result<Option<Summary>, Error> {
    let Ok(reference) = OrderReference::parse(id) else {
        return Ok(None);
    };
    let found = order_view(client, OrderKey::Reference(&reference)).await?;
    Ok(found.map(|order| Summary {
        seller: order.seller_name,
        description: order.description,
        amount: order.attempt.total.to_string(),
    }))
}

/// The built page with the tenant's look, the summary and the nonce.
fn fill_page(built: &str, tenant: &Tenant, summary: Option<&Summary>, nonce: &str) -> String {
    let mut page = built.replace("nonce=\"\"", &format!("nonce=\"{nonce}\""));
    for (name, value) in [
        ("razao-product", tenant.product_name.as_str()),
        ("razao-highlight", &tenant.highlight_color),
        ("theme-color", &tenant.theme_color),
        ("csp-nonce", nonce),
    ] {
        page = with_meta(&page, name, value);
    }
    page = with_text(&page, "product", &tenant.product_name);
    page = with_text(&page, "brand", &brand_style(tenant));
    let Some(Summary {
        seller,
        description,
        amount,
    }) = summary
    else {
        return page;
    };
    page = with_meta(&page, "description", &format!("{description}. {amount}"));
    let initial: String = seller.chars().take(1).flat_map(char::to_uppercase).collect();
    [
        ("title", &format!("{description} | {seller}")),
        ("seller", seller),
        ("seller-mark", &initial),
        ("description", description),
        // A no-break space, as the page's script writes it: the amount never wraps.
        ("amount", &amount.replace("R$ ", "R$\u{a0}")),
    ]
    .into_iter()
    .fold(page, |page, (id, text)| with_text(&page, id, text))
}

/// Settings accept only `#` and six hexadecimal digits. Anything else would become a rule of the stylesheet.
fn brand_style(tenant: &Tenant) -> String {
    let color = &tenant.theme_color;
    let is_color = color
        .strip_prefix('#')
        .is_some_and(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    if is_color {
        format!(":root{{--brand:{color}}}")
    } else {
        String::new()
    }
}

/// Replaces the text of the element with this id. The built page must have the id as the element's last attribute.
fn with_text(page: &str, id: &str, text: &str) -> String {
    let opening = format!(" id=\"{id}\">");
    let Some(start) = page.find(&opening).map(|at| at + opening.len()) else {
        return page.to_owned();
    };
    let Some(length) = page[start..].find('<') else {
        return page.to_owned();
    };
    let text = within_quotes(text);
    format!("{}{text}{}", &page[..start], &page[start + length..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../../../ui/checkout/index.html");

    fn summary(seller: &str) -> Summary {
        Summary {
            seller: seller.to_owned(),
            description: "Bolo de chocolate".to_owned(),
            amount: "R$ 180,00".to_owned(),
        }
    }

    #[test]
    fn only_addresses_of_the_checkout_have_its_page() {
        for (path, page) in [
            ("/pl/2F6F4F5A1B0B", Some(CheckoutPage::Link("2F6F4F5A1B0B"))),
            ("/pl/2F6F4F5A1B0B/", Some(CheckoutPage::Link("2F6F4F5A1B0B"))),
            (
                "/transacao/7Q2M4Z9XKD/status",
                Some(CheckoutPage::Order("7Q2M4Z9XKD")),
            ),
            ("/b/7Q2M4Z9XKD", Some(CheckoutPage::Boleto("7Q2M4Z9XKD"))),
            ("/pl", None),
            ("/pl/a/b", None),
            ("/transacao/7Q2M4Z9XKD", None),
            ("/vendas/pl", None),
        ] {
            assert_eq!(CheckoutPage::of_path(path), page, "{path}");
        }
    }

    #[test]
    fn the_first_call_is_preloaded_only_for_plain_ids() {
        let call = |path| CheckoutPage::of_path(path).and_then(|page| page.first_call());
        assert_eq!(call("/pl/2f6f").as_deref(), Some("/api/pl/2F6F"));
        assert_eq!(
            call("/transacao/7Q2M/status").as_deref(),
            Some("/api/transactions/7Q2M/status")
        );
        assert_eq!(call("/b/7Q2M"), None);
        assert_eq!(call("/pl/a%3E"), None);
    }

    #[test]
    fn the_page_shows_the_link_before_its_script_runs() {
        let tenant = Tenant {
            product_name: "Lojas Pay".to_owned(),
            theme_color: "#102030".to_owned(),
            ..Tenant::default_branding()
        };
        let page = fill_page(SHIPPED, &tenant, Some(&summary("Padaria da Ana")), "n0nce");
        for part in [
            "<title id=\"title\">Bolo de chocolate | Padaria da Ana</title>",
            "<strong id=\"seller\">Padaria da Ana</strong>",
            "id=\"seller-mark\">P</span>",
            "<h1 id=\"description\">Bolo de chocolate</h1>",
            "id=\"amount\">R$\u{a0}180,00</p>",
            "<span id=\"product\">Lojas Pay</span>",
            "<style nonce=\"n0nce\" id=\"brand\">:root{--brand:#102030}</style>",
            "<meta name=\"description\" content=\"Bolo de chocolate. R$ 180,00\" />",
            "<meta name=\"theme-color\" content=\"#102030\" />",
            "<meta name=\"csp-nonce\" content=\"n0nce\" />",
        ] {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(!page.contains("nonce=\"\""));
    }

    #[test]
    fn texts_and_colors_do_not_become_markup() {
        let tenant = Tenant {
            theme_color: "red}*{display:none".to_owned(),
            ..Tenant::default_branding()
        };
        let page = fill_page(
            SHIPPED,
            &tenant,
            Some(&summary("A & B</strong><script>")),
            "n0nce",
        );
        assert!(page.contains("<strong id=\"seller\">A &amp; B&lt;/strong&gt;&lt;script&gt;</strong>"));
        assert!(page.contains("id=\"brand\"></style>"));
    }

    #[test]
    fn a_page_without_a_summary_keeps_its_own_texts() {
        let page = fill_page(SHIPPED, &Tenant::default_branding(), None, "n0nce");
        assert!(page.contains("<h1 id=\"description\">Pagamento</h1>"));
        assert!(page.contains("<title id=\"title\">Pagamento</title>"));
    }
}
