//! The rules of the append for transfers: their states, their owners, and recent withdrawal requests.

use ledger_domain::business::{
    BusinessCommand, CompanyStatus, MakeManualTransfer, RefuseTransfer, RequestTransfer, WithdrawalContext,
};
use ledger_domain::transfer::{Destination, DestinationKind, Direction, TransferStatus};
use ledger_domain::{Cents, TransferId};
use ledger_store::Submission;
use ledger_store::lane::{AppendError, LookUpRequest};
use uuid::Uuid;

use super::{Log, business, captured, two_shards};
use crate::support::database::only_with_tables;
use crate::support::noon;

fn transfer(n: u128) -> TransferId {
    TransferId::from_uuid(Uuid::from_u128(2000 + n))
}

fn submission(business_number: u128, command: BusinessCommand) -> Submission {
    Submission {
        command,
        idempotency: None,
        ..captured(business_number, 0)
    }
}

fn credited(business_number: u128, transfer_number: u128) -> Submission {
    let credit = MakeManualTransfer {
        transfer_id: transfer(transfer_number),
        direction: Direction::In,
        amount: Cents::new(100_00),
        description: "Crédito".to_owned(),
        allow_negative: false,
        occurred_at: noon(),
    };
    submission(business_number, BusinessCommand::MakeManualTransfer(credit))
}

fn withdrawn(business_number: u128, transfer_number: u128) -> Submission {
    let request = RequestTransfer {
        transfer_id: transfer(transfer_number),
        amount: Cents::new(30_00),
        destination: DestinationKind::Pix,
        confirm_duplicate: false,
        confirm_destination: false,
        occurred_at: noon(),
        context: WithdrawalContext {
            company_status: CompanyStatus::Active,
            fee: Some(Cents::new(50)),
            destination: Some(Destination::Pix {
                key: "11222333000181".to_owned(),
            }),
        },
    };
    submission(business_number, BusinessCommand::RequestTransfer(request))
}

fn refused(business_number: u128, transfer_number: u128) -> Submission {
    let refuse = RefuseTransfer {
        transfer_id: transfer(transfer_number),
        reason: "Conta de outro titular".to_owned(),
        occurred_at: noon(),
    };
    submission(business_number, BusinessCommand::RefuseTransfer(refuse))
}

#[tokio::test]
async fn transfers_and_recent_withdrawals_are_found_as_of_the_last_batch() {
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let opening = vec![credited(1, 5), withdrawn(1, 6), captured(2, 1)];
        let first = log.batch_of(&acquired, noon(), opening).await;
        log.append(&first).await.expect("recorded");
        let second = log
            .batch_of(&acquired, noon(), vec![refused(1, 6), captured(1, 2)])
            .await;
        log.append(&second).await.expect("recorded");
        assert_eq!(
            second
                .transfers
                .iter()
                .map(|row| (row.id, row.existed))
                .collect::<Vec<_>>(),
            [(transfer(6), true)],
            "{name}: unchanged transfers are not written"
        );

        let request = LookUpRequest {
            heads: vec![business(1), business(2)],
            transfers: vec![transfer(5), transfer(6), transfer(7)],
            ..LookUpRequest::default()
        };
        let mut found = log.look_up(&request).await;
        found.transfers.sort_by_key(|(id, _)| *id);
        found.heads.sort_by_key(|(id, _)| *id);
        let states: Vec<_> = found
            .transfers
            .iter()
            .map(|(id, found)| (*id, found.business_id, found.state.status, found.sequence))
            .collect();
        let expected = [
            (transfer(5), business(1), TransferStatus::Approved, 1),
            (transfer(6), business(1), TransferStatus::Refused, 3),
        ];
        assert_eq!(states, expected, "{name}");
        let [(_, one), (_, two)] = found.heads.as_slice() else {
            panic!("{name}: two heads")
        };
        assert_eq!(one.recent_withdrawals.len(), 1, "{name}");
        assert_eq!(*one, second.heads[0].head, "{name}");
        assert!(two.recent_withdrawals.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_transfer_of_another_business_rejects_the_whole_batch_and_is_named() {
    only_with_tables!();
    for (name, mut log) in Log::both().await {
        let acquired = log.acquire(&two_shards()).await;
        let later = log
            .batch_of(&acquired, noon(), vec![credited(1, 7), captured(1, 8)])
            .await;
        let earlier = log.batch_of(&acquired, noon(), vec![credited(2, 7)]).await;
        log.append(&earlier).await.expect("recorded");
        assert_eq!(
            log.append(&later).await,
            Err(AppendError::TransfersBelongToOther(vec![transfer(7)])),
            "{name}"
        );
        assert_eq!(log.events_recorded(business(1)).await, 0, "{name}");
    }
}
