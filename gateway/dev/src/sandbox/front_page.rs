//! The sandbox's front page: lists calls, and the cards and amounts that select outcomes.

use std::fmt::Write;

use gateway_acquirers::ACQUIRERS;

use super::acquirers::{BrandTold, CardOutcome, ChargeBehavior};
use super::bank::PayoutBehavior;
use super::refunds::RefundBehavior;

pub async fn show_rules() -> String {
    let mut text = String::from(
        "Razão's sandbox: an acquirer and a bank for trying the platform.\n\n\
         POST /sandbox/sales       a sale, e.g. {\"terminal\": \"PDV0050001\", \"amount\": 12345}\n\
         POST /sandbox/facts       later events of a sale, e.g. {\"external_id\": \"…\", \"facts\": [\"dispute_opened\", \"dispute_won\"]}\n\
         POST /sandbox/stream      many sales, e.g. {\"count\": 50, \"per_minute\": 60}\n\
         GET  /sandbox/deliveries  the latest notices, newest first\n\
         POST /payouts             a payout order of the gateway, with an Idempotency-Key\n\
         GET  /payouts/{id}        the state of a payout\n\
         GET  /sandbox/payouts     all payouts\n\
         POST /sandbox/payouts/{id}/return  returns a paid payout: the account is closed\n\
         POST /refunds             a refund request of the gateway, with an Idempotency-Key\n\
         GET  /refunds/{id}        the state of a refund\n\
         GET  /sandbox/refunds     all refunds\n\
         POST /sandbox/terminal-tokens  the token that a card machine shows, e.g. {\"serial_number\": \"PDV0050009\"};\n\
                                   \"valid_seconds\": 0 for an expired one, \"times_out\": true to let its activation time out\n\
         GET  /sandbox/terminal-tokens  the tokens\n\
         POST /terminals/activations    an activation by the gateway\n\n\
         GET  /postal-codes/{code}/json/  an address, e.g. 01001000; 99999999 fails with a 500, 99999998 times out\n\n\
         Cards of sales, by their last four digits: 0002, 9995, 0069, 0127, 0119 fail; 0077 is canceled; 0341 stays unpaid;\n\
         any other is captured.\n\n\
         Payouts, by the cents of the amount that the bank pays (the withdrawal less its fee):\n",
    );
    for (cents, _, what) in PayoutBehavior::RULES {
        let _ = writeln!(text, "  x,{cents:02}  {what}");
    }
    text.push_str("  any other is paid, with one notice\n\nRefunds, by the cents of the sale's amount:\n");
    for (cents, _, what) in RefundBehavior::RULES {
        let _ = writeln!(text, "  x,{cents:02}  {what}");
    }
    text.push_str("  any other is refunded at once, with one notice\n");
    push_rules_of_charges(&mut text);
    text
}

fn push_rules_of_charges(text: &mut String) {
    text.push_str(
        "\nCharges of the checkout, by the contracts of acquirers. Each takes every key that ends with \"sandbox\".\n",
    );
    for registration in ACQUIRERS {
        let (provider, folder) = (registration.contract.provider, registration.sandbox_folder);
        let _ = writeln!(text, "  /{folder:8}  {}", provider.label());
    }
    text.push_str(
        "\nAll contracts share these calls:\n\n\
         GET  /sandbox/charges     all charges\n\
         POST /sandbox/charges/{id}/{change}  of a charge's or a sale's id: pay, decline, expire, cancel, capture,\n\
                                   refund, refund-part, reverse, dispute, win-dispute, charge-back, unlist\n\
         POST /sandbox/held-orders/release  lets the held orders (x,30) continue\n\
         POST /sandbox/notice-addresses  where an acquirer's panel sends notices, e.g. {\"provider\": \"zoop\", \"url\": \"…\"}\n\n\
         Iugu's and the sandbox's own contract also pay out, by the rules of payouts above, without a notice.\n\
         There x,01 and x,07 fail every time.\n\n\
         Cards of charges, by their last four digits:\n",
    );
    for (last_four, _, what) in CardOutcome::RULES {
        let _ = writeln!(text, "  {last_four}  {what}");
    }
    for (last_four, _, what) in BrandTold::RULES {
        let _ = writeln!(text, "  {last_four}  {what}");
    }
    text.push_str("  any other is paid\n\nCharges, by the cents of the amount:\n");
    for (cents, _, what) in ChargeBehavior::RULES {
        let _ = writeln!(text, "  x,{cents:02}  {what}");
    }
    text.push_str("  any other works, with one notice of each change\n");
}
