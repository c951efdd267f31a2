//! Cases of notices, which are not signed.

use gateway_acquirers::charge::{ChargeKey, ChargeState};
use gateway_acquirers::notice::{NoticeFault, NoticeHint, ReceivedNotice};
use ledger_domain::sale::Provider;

use super::run::{Outcome, Run, Verdict, ensure};
use super::world::{Received, now};
use crate::sandbox::names;

fn read(run: &Run<'_>, received: &Received) -> Result<NoticeHint, NoticeFault> {
    run.adapter.read_notice(&ReceivedNotice {
        content_type: received.content_type.as_deref(),
        body: &received.body,
    })
}

pub async fn leads_to_a_look_up(run: &Run<'_>) -> Outcome {
    let (order, charge) = run.paid_pix(100_00).await?;
    let sale_id = Some(order.sale_id);
    let notices = run.world.notices(1, |received| {
        read(run, received).is_ok_and(|hint| hint.sale_id == sale_id)
    });
    let notice = notices.await?.remove(0);
    let takes_notice_url = run.contract.0.suite.takes_notice_url;
    ensure!(
        notice.path.starts_with("/of-an-order/") == takes_notice_url && notice.path.ends_with("/secret"),
        "the notice came to {}",
        notice.path
    );
    let hint = read(run, &notice).map_err(|fault| format!("{fault:?}"))?;
    let charge_id = hint.charge_id.unwrap_or_else(|| charge.charge_id.clone());
    ensure!(charge_id == charge.charge_id, "{charge_id}");
    let found = run
        .look_up(&ChargeKey {
            sale_id: order.sale_id,
            charge_id: Some(charge_id),
        })
        .await?;
    ensure!(found.state == ChargeState::Paid, "{found:?}");
    // The contracts of these two have no field for it.
    let has_field = !matches!(run.adapter.provider(), Provider::Zoop | Provider::Barte);
    let end_to_end_id = names::end_to_end_id('E', &found.charge_id, now());
    let expected = has_field.then_some(end_to_end_id);
    ensure!(found.names.end_to_end_id == expected, "{found:?}");
    Ok(Verdict::Passed)
}

pub async fn twice(run: &Run<'_>) -> Outcome {
    let (order, _) = run.paid_pix(100_25).await?;
    let sale_id = Some(order.sale_id);
    let notices = run.world.notices(2, |received| {
        read(run, received).is_ok_and(|hint| hint.sale_id == sale_id)
    });
    let notices = notices.await?;
    ensure!(notices[0].body == notices[1].body, "the two notices differ");
    Ok(Verdict::Passed)
}

const INVALID_BODIES: [&[u8]; 6] = [
    b"",
    b"{}",
    b"null",
    b"[1]",
    b"\xff\xfe",
    br#"{"event":"charge.changed","type":"transaction.succeeded","domain":"ORDER","uuid":"../../x"}"#,
];

pub fn unreadable(run: &Run<'_>) -> Outcome {
    let path_in_id: &[u8] = b"event=invoice.status_changed&data[id]=../accounts";
    for body in INVALID_BODIES.into_iter().chain([path_in_id]) {
        let notice = ReceivedNotice {
            content_type: None,
            body,
        };
        let read = run.adapter.read_notice(&notice);
        ensure!(
            read == Err(NoticeFault::Unreadable),
            "{}: {read:?}",
            String::from_utf8_lossy(body)
        );
    }
    Ok(Verdict::Passed)
}

pub fn unrelated(run: &Run<'_>) -> Outcome {
    let body = run.contract.0.suite.unrelated_notice;
    let read = run.adapter.read_notice(&ReceivedNotice {
        content_type: None,
        body,
    });
    ensure!(read == Err(NoticeFault::Unrelated), "{read:?}");
    Ok(Verdict::Passed)
}
