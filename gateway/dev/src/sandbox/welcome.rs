//! The sandbox's front page: which calls there are, and which card or amount brings which outcome about.

use std::fmt::Write;

use super::bank::Behaviour;
use super::refunds::RefundBehaviour;

pub async fn show_rules() -> String {
    let mut text = String::from(
        "Razão's sandbox: an acquirer and a bank to try the platform with.\n\n\
         POST /sandbox/sales       a sale, e.g. {\"terminal\": \"PDV0050001\", \"amount\": 12345}\n\
         POST /sandbox/facts       what becomes of a sale, e.g. {\"external_id\": \"…\", \"facts\": [\"dispute_opened\", \"dispute_won\"]}\n\
         POST /sandbox/stream      many of them, e.g. {\"count\": 50, \"per_minute\": 60}\n\
         GET  /sandbox/deliveries  the notices sent, newest first\n\
         POST /payouts             what the gateway orders, under its Idempotency-Key\n\
         GET  /payouts/{id}        what became of it\n\
         GET  /sandbox/payouts     the bank's book\n\
         POST /refunds             what the gateway asks to be given back, under its Idempotency-Key\n\
         GET  /refunds/{id}        what became of it\n\
         GET  /sandbox/refunds     all of them\n\n\
         Cards, by their last four digits: 0002, 9995, 0069, 0127, 0119 fail; 0077 is given up; 0341 stays unpaid;\n\
         any other is captured.\n\n\
         Payouts, by the cents of what reaches the bank (the withdrawal less its fee):\n",
    );
    for (cents, _, what) in Behaviour::RULES {
        let _ = writeln!(text, "  x,{cents:02}  {what}");
    }
    text.push_str("  any other is paid, and told once\n\nRefunds, by the cents of the sale's amount:\n");
    for (cents, _, what) in RefundBehaviour::RULES {
        let _ = writeln!(text, "  x,{cents:02}  {what}");
    }
    text.push_str("  any other is refunded at once, and told once\n");
    text
}
