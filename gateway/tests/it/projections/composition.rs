//! The composition of withdrawals from stored lines: its pages, its sums, and the way back from sales.

use std::collections::BTreeMap;

use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::balance::statement::composition::{AmountPart, composition_list, credit_uses};
use projections::sales::sale_fetch;

use super::ledger::{Ledger, business, cents};
use super::reversal_commands::ReversalCommands;
use super::transfer_commands::{TransferCommands, bank_account, later};

/// The parts of a transfer, read in pages of this size, and their total.
async fn composition(
    ledger: &Ledger,
    of: BusinessId,
    transfer: TransferId,
    limit: u32,
) -> (Cents, Vec<AmountPart>) {
    let client = ledger.client().await;
    let (mut skipped, mut parts) = (Some(Cents::ZERO), vec![]);
    let mut total = Cents::ZERO;
    while let Some(from) = skipped {
        let page = composition_list(&**client, of, transfer, from, limit)
            .await
            .expect("a page");
        assert!(page.parts.len() <= limit as usize);
        (total, skipped) = (page.total, page.next);
        parts.extend(page.parts);
    }
    (total, parts)
}

fn numbers(parts: &[AmountPart]) -> Vec<(Option<i64>, i64)> {
    let number = |part: &AmountPart| (part.line.as_ref().map(|line| line.number), part.amount.get());
    parts.iter().map(number).collect()
}

#[tokio::test]
async fn every_withdrawal_consists_of_the_first_credits_that_are_left() {
    let (ledger, _runner) = Ledger::with_reversed_sales().await;
    let client = ledger.client().await;
    let sql = "SELECT business_id, transfer_id, amount, status, kind, direction = 'in' FROM transfer";
    let transfers = client.query(sql, &[]).await.expect("transfers");
    assert!(transfers.len() > 15);
    let mut used: BTreeMap<(BusinessId, i64), i64> = BTreeMap::new();
    for row in transfers {
        let of = BusinessId::from_uuid(row.get(0));
        let transfer = TransferId::from_uuid(row.get(1));
        let (status, is_credit): (i16, Option<bool>) = (row.get(3), row.get(5));
        let is_undone = [3, 4].contains(&status);
        let expected = match is_undone || is_credit == Some(true) {
            true => 0,
            false => row.get(2),
        };
        let (total, parts) = composition(&ledger, of, transfer, 1_000).await;
        assert_eq!(total.get(), expected, "{transfer}");
        assert_eq!(Cents::total(parts.iter().map(|part| part.amount)), Some(total));
        for limit in [1, 2] {
            let paged = composition(&ledger, of, transfer, limit).await;
            assert_eq!(paged, (total, parts.clone()), "{transfer}");
        }
        for part in parts {
            let line = part.line.expect("no debt");
            assert!(line.amount > Cents::ZERO, "a credit");
            let used = used.entry((of, line.number)).or_default();
            *used += part.amount.get();
            assert!(*used <= line.amount.get(), "line {} is used twice", line.number);
        }
    }
}

#[tokio::test]
async fn a_sale_knows_the_withdrawals_that_took_its_money() {
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    let commands = TransferCommands {
        ledger: &ledger,
        shop,
    };
    commands
        .make_manual(Direction::In, 30_00, "bônus", later(0))
        .await;
    let sale = ledger.settled_sale(shop).await;
    let first = commands.request(40_00, bank_account(), later(1)).await;
    commands.refuse(first, "dados divergentes", later(2)).await;
    let second = commands.request(35_00, bank_account(), later(3)).await;
    ledger.until_caught_up().await;

    // The PIX of R$ 49,30 is line 2. The refused withdrawal took R$ 10,00 of it, which came back as the newest credit.
    let (total, parts) = composition(&ledger, shop, second, 10).await;
    assert_eq!((total, numbers(&parts)), (cents(35_00), vec![(Some(2), 35_00)]));
    let uses = uses_of(&ledger, shop, sale).await;
    assert_eq!(
        uses,
        [(49_30, vec![(None, 10_00), (Some(5), 35_00), (None, 4_30)])]
    );

    let reversals = ReversalCommands {
        ledger: &ledger,
        shop,
    };
    reversals.refund(sale, later(4)).await;
    ledger.until_caught_up().await;
    // The refund takes the rest of the sale and what the refused withdrawal gave back.
    let uses = uses_of(&ledger, shop, sale).await;
    assert_eq!(
        uses,
        [(49_30, vec![(Some(6), 10_00), (Some(5), 35_00), (Some(6), 4_30)])]
    );
    runner.stop().await;
}

/// The amount of each credit of the sale, with the numbers of the debits that it went to.
async fn uses_of(ledger: &Ledger, of: BusinessId, sale: SaleId) -> Vec<(i64, Vec<(Option<i64>, i64)>)> {
    let client = ledger.client().await;
    let detail = sale_fetch(&**client, Some(of), sale)
        .await
        .expect("a sale")
        .expect("a sale");
    let events: Vec<_> = detail.events.iter().map(|event| event.id).collect();
    let uses = credit_uses(&**client, of, sale, &events)
        .await
        .expect("its credits");
    uses.iter()
        .map(|one| (one.credit.amount.get(), numbers(&one.parts)))
        .collect()
}
