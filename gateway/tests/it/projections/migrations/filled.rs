//! A database that the program of version 13 filled: the present program fills it, and its rows are put back into the
//! tables of that version.

use chrono::Utc;
use ledger_domain::business::{Approvals, BusinessCommand, HoldAmount, MakeManualTransfer, ReleaseAmount};
use ledger_domain::ids::UserId;
use ledger_domain::transfer::Direction;
use ledger_domain::{BusinessId, SaleId, TransferId};
use ledger_store::tree_head::TreeHead;
use ledger_store::{Actor, Outcome, Shard, log, migrate, tree_head};
use projections::ReadModelGroup;
use tokio_postgres::Client;
use tokio_postgres::types::ToSql;
use uuid::Uuid;

use crate::projections::ledger::{Ledger, business, cents, day, denied_business, minute, pix};
use crate::projections::transfer_commands::{TransferCommands, payout, pix_key};

/// The tables of the log and the read models whose rows version 13 stored as they are stored now.
const UNCHANGED: [&str; 7] = [
    "checkpoint",
    "transfer_state",
    "balance_daily",
    "journal",
    "statement_line",
    "statement_daily",
    "transfer",
];

/// The rows of the other tables in the form of version 13: schedules in a table of their own, the agenda without
/// `open`, the volume by day without payment link and with all ways of canceling together.
const AS_OF_VERSION_13: &str = "
    INSERT INTO v13.event
    SELECT shard, position, business_id, sequence, event_id, event_type, event_version, payload, metadata, recorded_at,
           occurred_at, digest, chain, idempotency_key, fingerprint, span
      FROM public.event;
    INSERT INTO v13.business_head
    SELECT shard, business_id, version, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees,
           clearing, chain, recent_withdrawals
      FROM public.business_head;
    INSERT INTO v13.balance
    SELECT business_id, receivable, available, in_transfer, held_by_staff, in_dispute, platform_fees, clearing
      FROM public.balance;
    INSERT INTO v13.sale
    SELECT sale_id, business_id, provider, external_id, solution, payment_type, card_brand, installments, amount,
           status, percentage_fee, flat_fee, percentage_rate, flat_rate, net, plan_id, plan_name, plan_version,
           terminal_id, terminal_serial, payment_link_code, card_last_four, authorization_code, failure_reason,
           occurred_at, created_at, captured_at, sequences
      FROM public.sale;
    INSERT INTO v13.sale_schedule
    SELECT business_id, sale_id, due_dates, installment_gross, installment_net, settled_by, accelerated_by,
           (SELECT min(due_date) FROM unnest(due_dates, settled_by) AS part (due_date, paid_by)
             WHERE paid_by IS NULL)
      FROM public.sale WHERE due_dates IS NOT NULL;
    INSERT INTO v13.agenda
    SELECT business_id, due_date, provider, card_brand, payment_type, expected, settled, brought_forward, instalments,
           settled_count, brought_forward_count, captured_on
      FROM public.agenda;
    INSERT INTO v13.daily_sales
    SELECT shard, business_id, business_date, solution, payment_type, card_brand, terminal_id, sum(sales), sum(gross),
           sum(percentage_fee), sum(flat_fee), sum(percentage_rate), sum(flat_rate), sum(net),
           sum(cancels + refunds + acquirer_reversals),
           sum(canceled_gross + refunded_gross + acquirer_reversed_gross),
           sum(canceled_net + refunded_net + acquirer_reversed_net),
           sum(disputes), sum(disputed), sum(disputes_won), sum(won), sum(chargebacks), sum(charged_back)
      FROM public.daily_sales
     GROUP BY shard, business_id, business_date, solution, payment_type, card_brand, terminal_id
    HAVING sum(sales + cancels + refunds + acquirer_reversals + disputes + disputes_won + chargebacks) > 0;
    UPDATE v13.log_shard AS old SET position = new.position, recorded_at = new.recorded_at, epoch = new.epoch
      FROM public.log_shard AS new WHERE new.shard = old.shard;
    UPDATE v13.projection_checkpoint AS old SET position = new.position
      FROM public.projection_checkpoint AS new WHERE new.shard = old.shard AND new.model = old.model;";

/// Turns the database into one that the program of version 13 filled with the same history.
async fn back_to_version_13(client: &mut Client) {
    let run = async |client: &Client, sql: &str| {
        let done = client.batch_execute(sql).await;
        done.unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    };
    // Version 13 stored the states of all sales, also of those with one event.
    let sales = client
        .query(
            "SELECT claimed_sale FROM event WHERE claimed_sale IS NOT NULL",
            &[],
        )
        .await;
    let sales: Vec<_> = sales
        .expect("claims")
        .iter()
        .map(|row| SaleId::from_uuid(row.get(0)))
        .collect();
    let states = log::sale_states(client, &sales).await.expect("states");
    assert_eq!(states.len(), sales.len());
    run(client, "CREATE SCHEMA v13; SET search_path = v13").await;
    let applied = migrate::run_to(client, 13).await.expect("the first migrations");
    assert_eq!(applied.len(), 13);
    for table in UNCHANGED {
        run(
            client,
            &format!("INSERT INTO v13.{table} SELECT * FROM public.{table}"),
        )
        .await;
    }
    run(client, AS_OF_VERSION_13).await;
    for (sale_id, found) in states {
        let state = serde_json::to_string(&found.state).expect("a state");
        let values: [&(dyn ToSql + Sync); 6] = [
            &sale_id.uuid(),
            &found.business_id.uuid(),
            &found.state.status.as_str(),
            &found.created_at,
            &found.sequence,
            &state,
        ];
        let insert = "INSERT INTO v13.sale_state VALUES ($1, $2, $3, $4, $5, $6::text::json)";
        client.execute(insert, &values).await.expect("a state");
    }
    run(
        client,
        "RESET search_path; DROP SCHEMA public CASCADE; ALTER SCHEMA v13 RENAME TO public",
    )
    .await;
}

/// Each row of the table as text, in order.
pub(super) async fn rows(client: &Client, table: &str) -> Vec<String> {
    let sql = format!("SELECT row_of::text FROM {table} AS row_of ORDER BY 1");
    let rows = client
        .query(&sql, &[])
        .await
        .unwrap_or_else(|error| panic!("{sql}: {error:?}"));
    rows.iter().map(|row| row.get(0)).collect()
}

/// Sales of two denied companies, which are held. Staff release a part of the first company's hold and hold money for
/// another reason. They release the second company's whole hold, and hold the amount again for another reason.
async fn hold_sales(ledger: &Ledger) {
    let staff = async |company, command| {
        let by = Actor::Admin(UserId::from_uuid(Uuid::from_u128(1)));
        let outcome = ledger.submit_as(company, command, by).await;
        assert!(matches!(outcome, Outcome::Recorded(_)), "{outcome:?}");
    };
    let (partly, all) = (denied_business(1), denied_business(2));
    for company in [partly, all] {
        ledger.capture(company, pix(ledger.new_sale()), minute(1)).await;
        ledger.capture(company, pix(ledger.new_sale()), minute(2)).await;
    }
    ledger.settle_due(day(1)).await;
    let client = ledger.database_client().await;
    let held = "SELECT held_for_sales FROM business_head WHERE business_id = $1";
    let held: i64 = client
        .query_one(held, &[&all.uuid()])
        .await
        .expect("a head")
        .get(0);
    let held = cents(held);
    let release = |amount| {
        BusinessCommand::ReleaseAmount(ReleaseAmount {
            amount,
            reason: "Conferido".to_owned(),
            occurred_at: ledger.now(),
        })
    };
    let hold = |amount| {
        BusinessCommand::HoldAmount(HoldAmount {
            amount,
            reason: "Análise".to_owned(),
            occurred_at: ledger.now(),
        })
    };
    for command in [release(cents(20_00)), hold(cents(5_00)), release(cents(1_00))] {
        staff(partly, command).await;
    }
    for command in [release(held), hold(held), release(cents(3_00))] {
        staff(all, command).await;
    }
    ledger.until_caught_up().await;
    let sums = "SELECT array_agg(held_for_sales ORDER BY held_for_sales) FROM business_head
                 WHERE business_id IN ($1, $2)";
    let sums = client.query_one(sums, &[&partly.uuid(), &all.uuid()]).await;
    let sums: Vec<i64> = sums.expect("heads").get(0);
    assert_eq!(sums, [0, held.get() - 21_00]);
}

/// A database that was filled by version 13.
pub(super) struct Filled {
    pub ledger: Ledger,
    pub client: Client,
    /// The rows that the latest version stores for the same history.
    pub expected: Vec<(&'static str, Vec<String>)>,
    /// Copies of its signed tree heads outside of the database.
    pub heads: Vec<TreeHead>,
    /// A withdrawal of `business_of_pending()` that the bank has not paid yet.
    pub pending: TransferId,
}

/// The private key that signs the tree heads.
pub(super) const KEY: [u8; 32] = [7; 32];

/// The business of the withdrawal `pending`.
pub(super) fn business_of_pending() -> BusinessId {
    business(9)
}

/// A withdrawal with a payout whose result the bank has not reported.
async fn withdraw(ledger: &Ledger) -> TransferId {
    let shop = TransferCommands {
        ledger,
        shop: business_of_pending(),
    };
    let credit = BusinessCommand::MakeManualTransfer(MakeManualTransfer {
        transfer_id: ledger.new_transfer(),
        direction: Direction::In,
        amount: cents(100_00),
        description: "Ajuste".to_owned(),
        allow_negative: false,
        occurred_at: minute(1),
    });
    let credited = shop.submit(credit).await;
    assert!(matches!(credited, Outcome::Recorded(_)), "{credited:?}");
    let pending = shop.request(50_00, pix_key(), minute(2)).await;
    shop.process(pending, Some(payout(1)), Approvals::One, minute(3))
        .await;
    pending
}

async fn signed_heads(client: &Client) -> Vec<TreeHead> {
    let mut heads = vec![];
    for shard in Shard::all() {
        let head = tree_head::make(client, shard, &KEY, Utc::now()).await;
        heads.extend(head.expect("signed"));
    }
    heads
}

/// A history with sales, reversals, transfers and holds.
pub(super) async fn filled_at_version_13() -> Filled {
    let (ledger, following) = Ledger::with_reversed_sales().await;
    hold_sales(&ledger).await;
    let pending = withdraw(&ledger).await;
    ledger.until_caught_up().await;
    following.stop().await;
    ledger.writer.shutdown();
    let mut client = ledger.database_client().await;
    let heads = signed_heads(&client).await;
    let mut expected = vec![("business_head", rows(&client, "business_head").await)];
    for model in ReadModelGroup::ALL {
        for table in model.tables().iter().copied().chain(model.shared_tables()) {
            expected.push((table, rows(&client, table).await));
        }
    }
    back_to_version_13(&mut client).await;
    Filled {
        ledger,
        client,
        expected,
        heads,
        pending,
    }
}
