//! Whole histories of a ledger.

use chrono::NaiveDate;
use ledger_domain::sale::{CardBrand, SaleFacts};
use projections::Following;

use super::ledger::{Ledger, business, card, minute, pix};
use super::reversal_commands::ReversalCommands;
use super::transfer_commands::TransferCommands;

impl Ledger {
    /// Two businesses, each with twelve sales: six by card and four by PIX are captured, one by card failed, one PIX
    /// expired. All installments due by 15 January are settled. On 16 January come transfers of every status.
    pub async fn with_history() -> (Self, Following) {
        let ledger = Self::create().await;
        let runner = ledger.follow();
        for (shop, base) in [(business(1), 0), (business(2), 7)] {
            for day in 0..3 {
                let at = minute(base + day * 24 * 60);
                ledger.capture(shop, card(ledger.new_sale()), at).await;
                let brand = Some(CardBrand::Elo);
                ledger
                    .capture(
                        shop,
                        SaleFacts {
                            card_brand: brand,
                            ..card(ledger.new_sale())
                        },
                        at,
                    )
                    .await;
                ledger.capture(shop, pix(ledger.new_sale()), at).await;
            }
            let paid_later = pix(ledger.new_sale());
            ledger.create_sale(shop, paid_later.clone(), minute(base)).await;
            ledger.capture(shop, paid_later, minute(base + 26 * 60)).await;
            ledger
                .fail(shop, card(ledger.new_sale()), minute(base), "saldo insuficiente")
                .await;
            let expired = pix(ledger.new_sale());
            let expired_id = expired.sale_id;
            ledger.create_sale(shop, expired, minute(base)).await;
            ledger.void(shop, expired_id, minute(base + 30)).await;
        }
        ledger
            .settle_due(NaiveDate::from_ymd_opt(2027, 1, 15).expect("a date"))
            .await;
        for shop in [business(1), business(2)] {
            let ledger = &ledger;
            TransferCommands { ledger, shop }.every_way().await;
        }
        ledger.until_caught_up().await;
        (ledger, runner)
    }

    /// The same history, and another business whose sales were reversed in every way.
    pub async fn with_reversed_sales() -> (Self, Following) {
        let (ledger, runner) = Self::with_history().await;
        let reversal_commands = ReversalCommands {
            ledger: &ledger,
            shop: business(4),
        };
        reversal_commands.every_way().await;
        reversal_commands.every_way_in_parts().await;
        ledger.reserved_sale(business(4)).await;
        ledger.until_caught_up().await;
        (ledger, runner)
    }
}
