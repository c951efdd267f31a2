//! The PDF of a paid withdrawal.

use gateway_identity::roles::SellerRole;

use super::{WithdrawalFixture, seller_of};

#[tokio::test]
async fn a_paid_withdrawal_has_a_receipt_and_another_one_has_none() {
    let fixture = WithdrawalFixture::open().await;
    let id = fixture.pending_withdrawal(400_00).await;
    fixture.balances().await;
    let path = format!("/api/balance/transfers/{id}/receipt");
    let pending = fixture.seller.get(&path).await;
    assert_eq!(
        (pending.status, pending.text("/message")),
        (409, "Só um saque concluído tem recibo.")
    );
    assert_eq!(fixture.step(&id, "approve").await.status, 200);
    fixture.balances().await;
    let other = fixture.app.company("Mercado").await;
    let stranger = seller_of(&fixture.app, &other, SellerRole::Owner).await;
    assert_eq!(stranger.get(&path).await.status, 404);
    let of_staff = format!("/api/admin/balance/transfers/{id}/receipt");
    for (reader, path) in [(&fixture.seller, &path), (&fixture.staff, &of_staff)] {
        let (status, headers, file) = reader.download(path).await;
        assert_eq!(
            (status, &headers["content-type"]),
            (200, &"application/pdf".parse().expect("a header"))
        );
        let text = String::from_utf8_lossy(&file);
        // 400,00 less the fee, the account of the request, and the transfer's own id.
        for part in ["R$ 396,50", "0012345-6", &id] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
