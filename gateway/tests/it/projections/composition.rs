//! The composition of withdrawals from stored lines: its pages, its sums, and the way back from sales.

use std::collections::{BTreeMap, BTreeSet};

use ledger_domain::calendar::business_date;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, Cents, SaleId, TransferId};
use projections::balance::statement::composition::{
    AmountPart, CompositionDay, CompositionDays, CompositionRange, composition_days, composition_list,
    composition_of_day, credit_uses,
};
use projections::sales::sale_fetch;

use super::ledger::{Ledger, business, cents, day, minute, pix};
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
        let page = composition_list(&**client, of, transfer, CompositionRange::after(from), limit)
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
        assert_days_add_up(&ledger, (of, transfer), total).await;
        for part in parts {
            let line = part.line.expect("no debt");
            assert!(line.amount > Cents::ZERO, "a credit");
            let used = used.entry((of, line.number)).or_default();
            *used += part.amount.get();
            assert!(*used <= line.amount.get(), "line {} is used twice", line.number);
        }
    }
}

async fn days_of(ledger: &Ledger, of: BusinessId, transfer: TransferId) -> CompositionDays {
    let client = ledger.client().await;
    composition_days(&**client, of, transfer).await.expect("days")
}

/// The amounts of each day add up, and its credits are a part of the list.
async fn assert_days_add_up(ledger: &Ledger, (of, transfer): (BusinessId, TransferId), total: Cents) {
    let client = ledger.client().await;
    let days = days_of(ledger, of, transfer).await;
    let mut used = Cents::ZERO;
    for CompositionDay { day, sums } in &days.days {
        let day = day.expect("no debt");
        used = Cents::total([used, sums.used]).expect("a sum");
        // Nothing is kept from these settlements, so fees and refunds explain each credit.
        let deducted = sums.fees.get() + sums.refunded.get();
        assert_eq!(
            (sums.withheld, sums.gross.get() - deducted),
            (Cents::ZERO, sums.net.get()),
            "{sums:?}"
        );
        let whole = composition_of_day(&**client, of, transfer, (day, Cents::ZERO), 1_000).await;
        let whole = whole.expect("a page");
        assert_eq!((whole.next, whole.total), (None, total));
        assert_eq!(
            Cents::total(whole.parts.iter().map(|part| part.amount)),
            Some(sums.used)
        );
        let on = |part: &AmountPart| part.line.as_ref().map(|line| business_date(line.occurred_at));
        assert!(whole.parts.iter().all(|part| on(part) == Some(day)), "{sums:?}");
        let (mut parts, mut next) = (vec![], Some(Cents::ZERO));
        while let Some(skipped) = next {
            let page = composition_of_day(&**client, of, transfer, (day, skipped), 1).await;
            let page = page.expect("a page");
            next = page.next;
            parts.extend(page.parts);
        }
        assert_eq!(parts, whole.parts, "pages of one credit");
    }
    let dates: Vec<_> = days.days.iter().map(|day| day.day).collect();
    assert!(dates.is_sorted() && dates.len() == dates.iter().collect::<BTreeSet<_>>().len());
    assert_eq!((days.total, used), (total, total), "{transfer}");
}

#[tokio::test]
async fn the_days_of_many_credits_are_stored_and_stay_the_same() {
    const SALES: i32 = 501;
    let ledger = Ledger::create().await;
    let runner = ledger.follow();
    let shop = business(1);
    for _ in 0..SALES {
        ledger.capture(shop, pix(ledger.new_sale()), minute(0)).await;
    }
    ledger.settle_due(day(10)).await;
    let commands = TransferCommands {
        ledger: &ledger,
        shop,
    };
    let transfer = commands.request(SALES.into(), bank_account(), later(1)).await;
    let all = commands
        .request(i64::from(SALES - 1) * 49_30, bank_account(), later(2))
        .await;
    ledger.until_caught_up().await;
    let stored = "SELECT count(*) FROM composition_run";
    let small = days_of(&ledger, shop, transfer).await;
    assert_eq!(small.days.len(), 1);
    let count = async || -> i64 {
        ledger
            .client()
            .await
            .query_one(stored, &[])
            .await
            .expect("days")
            .get(0)
    };
    assert_eq!(count().await, 0, "few credits are summed up each time");
    let first = days_of(&ledger, shop, all).await;
    let counts = |days: &CompositionDays| {
        let of = |day: &CompositionDay| (day.sums.sales, day.sums.installments, day.sums.credits);
        days.days.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(counts(&first), [(SALES, SALES, SALES)]);
    assert_eq!(count().await, 1);
    assert_eq!(days_of(&ledger, shop, all).await, first);
    // Staff refuse it: then it consists of nothing, whatever is stored.
    commands.refuse(all, "dados divergentes", later(3)).await;
    ledger.until_caught_up().await;
    assert_eq!(days_of(&ledger, shop, all).await.days, []);
    runner.stop().await;
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
