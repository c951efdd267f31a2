//! The layout of every e-mail and its two renderings: HTML in the tenant's color, and plain text. `compose` provides
//! the texts.

use std::fmt::Write;

use maud::{DOCTYPE, html};

use crate::brand::Brand;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedEmail {
    pub subject: String,
    pub greeting: String,
    pub paragraphs: Vec<String>,
    pub action: Option<Action>,
    /// Less prominent lines, such as the link's validity and the origin of the request.
    pub small_print: Vec<String>,
}

/// The e-mail's one action, shown as a button or as a line with its URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    pub label: &'static str,
    pub url: String,
}

const FONT: &str = "font-family:Inter,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";

impl RenderedEmail {
    /// Uses tables and inline styles, because mail programs support them. All text from users is escaped.
    pub fn html(&self, brand: &Brand) -> String {
        let band = format!(
            "padding:20px 32px;background-color:{};color:{};font-size:18px;font-weight:700;{FONT}",
            brand.theme_color,
            brand.text_color()
        );
        let button = format!(
            "display:inline-block;padding:12px 24px;border-radius:8px;background-color:{};color:{};\
             font-size:16px;font-weight:600;text-decoration:none;{FONT}",
            brand.theme_color,
            brand.text_color()
        );
        // A PIX code is one long word, so it may break anywhere.
        let body = format!(
            "padding:32px;color:#212529;font-size:16px;line-height:1.55;overflow-wrap:anywhere;\
             word-break:break-word;{FONT}"
        );
        let small = format!(
            "padding:20px 32px 28px;border-top:1px solid #e9ecef;color:#5c636a;font-size:13px;line-height:1.5;{FONT}"
        );
        let markup = html! {
            (DOCTYPE)
            html lang="pt-BR" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light";
                    title { (self.subject) }
                }
                body style="margin:0;padding:0;background-color:#f1f3f5;" {
                    table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" {
                        tr { td align="center" style="padding:32px 12px;" {
                            table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"
                                style="max-width:560px;background-color:#ffffff;border-radius:12px;overflow:hidden;" {
                                tr { td style=(band) { (brand.product_name) } }
                                tr { td style=(body) {
                                    h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;" { (self.subject) }
                                    p style="margin:0 0 16px;" { (self.greeting) }
                                    @for paragraph in &self.paragraphs {
                                        p style="margin:0 0 16px;" { (paragraph) }
                                    }
                                    @if let Some(action) = &self.action {
                                        p style="margin:24px 0;" {
                                            a href=(action.url) style=(button) { (action.label) }
                                        }
                                        p style="margin:0;color:#5c636a;font-size:13px;" {
                                            "Se o botão não funcionar, copie e cole este endereço no navegador:" br;
                                            a href=(action.url) style="color:#5c636a;" { (action.url) }
                                        }
                                    }
                                } }
                                tr { td style=(small) {
                                    @for line in &self.small_print {
                                        p style="margin:0 0 8px;" { (line) }
                                    }
                                    p style="margin:0;" { (self.signature(brand)) }
                                } }
                            }
                        } }
                    }
                }
            }
        };
        markup.into_string()
    }

    pub fn text(&self, brand: &Brand) -> String {
        let mut text = format!("{}\n", self.greeting);
        for paragraph in &self.paragraphs {
            let _ = write!(text, "\n{paragraph}\n");
        }
        if let Some(action) = &self.action {
            let _ = write!(text, "\n{}:\n{}\n", action.label, action.url);
        }
        text.push_str("\n-- \n");
        for line in &self.small_print {
            let _ = writeln!(text, "{line}");
        }
        let _ = writeln!(text, "{}", self.signature(brand));
        text
    }

    fn signature(&self, brand: &Brand) -> String {
        match &brand.contact_email {
            Some(contact) => format!("{} · Dúvidas? Escreva para {contact}.", brand.product_name),
            None => format!(
                "{} · Mensagem automática: não é preciso responder.",
                brand.product_name
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brand() -> Brand {
        Brand {
            product_name: "Loja & Cia".to_owned(),
            theme_color: "#123456".to_owned(),
            contact_email: Some("ajuda@loja.example".to_owned()),
        }
    }

    fn email() -> RenderedEmail {
        RenderedEmail {
            subject: "Confirme".to_owned(),
            greeting: "Olá, <b>Ana</b>!".to_owned(),
            paragraphs: vec!["Um parágrafo.".to_owned()],
            action: Some(Action {
                label: "Confirmar",
                url: "https://x.example/a?b=1&c=2".to_owned(),
            }),
            small_print: vec!["Vale por 1 hora.".to_owned()],
        }
    }

    #[test]
    fn html_escapes_user_text_and_has_the_tenant_s_color() {
        let html = email().html(&brand());
        assert!(
            html.contains("Olá, &lt;b&gt;Ana&lt;/b&gt;!") && !html.contains("<b>"),
            "{html}"
        );
        assert!(html.contains("background-color:#123456;color:#FFFFFF"), "{html}");
        assert!(
            html.contains("Loja &amp; Cia") && html.contains(r#"href="https://x.example/a?b=1&amp;c=2""#)
        );
    }

    #[test]
    fn text_has_the_paragraphs_and_the_plain_url() {
        let text = email().text(&brand());
        assert_eq!(
            text,
            "Olá, <b>Ana</b>!\n\nUm parágrafo.\n\nConfirmar:\nhttps://x.example/a?b=1&c=2\n\n-- \nVale por 1 hora.\n\
             Loja & Cia · Dúvidas? Escreva para ajuda@loja.example.\n"
        );
    }
}
