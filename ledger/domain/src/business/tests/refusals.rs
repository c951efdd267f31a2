//! Refusals of commands on sales, and their Portuguese messages.

use super::*;

fn refused(given: Vec<BusinessEvent>, command: impl Into<BusinessCommand>, refusal: Refusal) {
    super::given(given)
        .when(command.into())
        .then_expect_error(refusal);
}

fn created() -> Vec<BusinessEvent> {
    history([create_at(0).into()])
}

fn captured() -> Vec<BusinessEvent> {
    history([capture_at(5).into()])
}

fn in_context(change: impl FnOnce(&mut SaleContext)) -> SaleContext {
    let mut context = context_at(minute(0));
    change(&mut context);
    context
}

/// The sale reported as created, captured and failed.
fn reports(sale: &SaleFacts, context: &SaleContext) -> [BusinessCommand; 3] {
    let (sale, context, occurred_at) = (|| sale.clone(), || context.clone(), minute(0));
    [
        CreateSale {
            sale: sale(),
            occurred_at,
            context: context(),
        }
        .into(),
        CaptureSale {
            sale: sale(),
            occurred_at,
            context: context(),
        }
        .into(),
        FailSale {
            sale: sale(),
            occurred_at,
            reason: None,
            context: context(),
        }
        .into(),
    ]
}

fn capture_in(context: SaleContext) -> CaptureSale {
    CaptureSale {
        context,
        ..capture_at(0)
    }
}

#[test]
fn a_sale_of_an_unknown_business_is_refused() {
    for reported in reports(&sale_facts(), &SaleContext::unknown(BUSINESS, minute(0))) {
        refused(vec![], reported, Refusal::UnknownBusiness);
    }
}

#[test]
fn a_pending_denied_or_deleted_business_cannot_create_a_sale() {
    for company_status in [
        CompanyStatus::Pending,
        CompanyStatus::Denied,
        CompanyStatus::Deleted,
    ] {
        let [create, ..] = reports(
            &sale_facts(),
            &in_context(|context| context.company_status = company_status),
        );
        refused(vec![], create, Refusal::BusinessNotActive);
    }
}

#[test]
fn a_capture_without_a_plan_is_refused() {
    let context = in_context(|context| context.terms = None);
    refused(
        vec![],
        capture_in(context),
        Refusal::NoPlan(Solution::CardMachine),
    );
}

#[test]
fn a_capture_without_a_fee_in_its_plan_is_refused() {
    let kind = PlanKind::Effective {
        fees: FeeTable::default(),
    };
    let context = in_context(|context| context.terms = Some(Arc::new(PlanTerms { kind, ..terms() })));
    refused(vec![], capture_in(context), Refusal::NoFee);
}

#[test]
fn a_capture_with_terms_of_another_instant_is_refused() {
    refused(
        vec![],
        capture_of_created(0, 5),
        Refusal::TermsNeededAt(minute(5)),
    );
    refused(created(), capture_at(5), Refusal::TermsNeededAt(minute(0)));
}

#[test]
fn a_sale_on_another_business_s_terminal_is_refused() {
    let context = in_context(|context| context.terminal_owner = Some(OTHER_BUSINESS));
    for reported in reports(&sale_facts(), &context) {
        refused(vec![], reported, Refusal::TerminalOfAnotherBusiness);
    }
}

#[test]
fn a_different_amount_than_recorded_is_refused() {
    let (recorded, reported) = (Cents::new(300_00), Cents::new(299_99));
    let [_, capture, fail] = reports(
        &SaleFacts {
            amount: reported,
            ..sale_facts()
        },
        &context_at(minute(0)),
    );
    refused(
        created(),
        capture.clone(),
        Refusal::AmountDiffers { recorded, reported },
    );
    refused(captured(), capture, Refusal::AmountDiffers { recorded, reported });
    refused(created(), fail, Refusal::AmountDiffers { recorded, reported });
}

#[test]
fn a_different_solution_payment_type_or_installments_is_refused() {
    for other in [
        SaleFacts {
            solution: Solution::PaymentLink,
            ..sale_facts()
        },
        SaleFacts {
            payment_type: PaymentType::Debit,
            ..sale_facts()
        },
        SaleFacts {
            installments: 2,
            ..sale_facts()
        },
    ] {
        let [_, capture, fail] = reports(&other, &context_at(minute(0)));
        refused(created(), capture.clone(), Refusal::SaleDiffers);
        refused(captured(), capture, Refusal::SaleDiffers);
        refused(created(), fail, Refusal::SaleDiffers);
    }
}

#[test]
fn a_second_payment_of_a_sale_is_refused() {
    let other_transaction = SaleFacts {
        external_id: "tx-11".to_owned(),
        ..sale_facts()
    };
    let other_acquirer = SaleFacts {
        provider: Provider::Iugu,
        ..sale_facts()
    };
    for sale in [other_transaction, other_acquirer] {
        refused(
            captured(),
            CaptureSale {
                sale,
                ..capture_at(6)
            },
            Refusal::SecondPayment,
        );
    }
}

#[test]
fn voiding_an_unknown_sale_is_refused() {
    refused(vec![], void_at(0), Refusal::UnknownSale);
}

#[test]
fn a_command_that_the_status_forbids_is_refused() {
    let failed = history([fail_at(0).into()]);
    let voided = history([create_at(0).into(), void_at(1).into()]);
    refused(
        captured(),
        fail_at(5),
        Refusal::StatusForbids(SaleStatus::Succeeded),
    );
    refused(failed, void_at(1), Refusal::StatusForbids(SaleStatus::Failed));
    refused(voided, fail_at(2), Refusal::StatusForbids(SaleStatus::Canceled));
}

#[test]
fn a_capture_and_a_void_at_one_instant_are_refused_in_either_order() {
    let voided = history([create_at(0).into(), void_at(5).into()]);
    refused(voided, capture_of_created(0, 5), Refusal::CaptureAndVoidAtOnce);
    refused(captured(), void_at(5), Refusal::CaptureAndVoidAtOnce);
}

#[test]
fn an_invalid_number_of_installments_is_refused() {
    for (facts, installments) in [(sale_facts(), 0), (sale_facts(), 22), (pix_facts(), 2)] {
        for reported in reports(
            &SaleFacts {
                installments,
                ..facts
            },
            &context_at(minute(0)),
        ) {
            refused(vec![], reported, Refusal::Installments(installments));
        }
    }
}

#[test]
fn settling_before_the_due_date_is_refused() {
    let early = SettleReceivables {
        today: date("2026-12-22"),
        ..settle("2026-12-23", &[1])
    };
    refused(captured(), early, Refusal::NotDueYet(date("2026-12-23")));
}

#[test]
fn an_invalid_amount_is_refused() {
    for cents in [-1, 0, Cents::AMOUNT_MAX.get() + 1] {
        for reported in reports(
            &SaleFacts {
                amount: Cents::new(cents),
                ..sale_facts()
            },
            &context_at(minute(0)),
        ) {
            refused(vec![], reported, Refusal::AmountOutOfRange);
        }
    }
}

#[test]
fn an_account_overflow_is_refused_before_anything_is_recorded() {
    let mut full = Business::default();
    full.accounts.receivable = Cents::new(i64::MAX);
    full.accounts.clearing = Cents::new(-i64::MAX);
    assert_eq!(full.decide(&capture_at(0).into()), Err(Refusal::AmountOutOfRange));
}

#[test]
fn refusals_have_portuguese_messages() {
    let amounts = Refusal::AmountDiffers {
        recorded: Cents::new(1_300_00),
        reported: Cents::new(299_99),
    };
    let messages: Vec<_> = [
        Refusal::UnknownBusiness,
        Refusal::BusinessNotActive,
        Refusal::NoPlan(Solution::PaymentLink),
        Refusal::NoFee,
        Refusal::TermsNeededAt(minute(0)),
        Refusal::TerminalOfAnotherBusiness,
        amounts,
        Refusal::SaleDiffers,
        Refusal::SecondPayment,
        Refusal::UnknownSale,
        Refusal::StatusForbids(SaleStatus::ChargedBack),
        Refusal::CaptureAndVoidAtOnce,
        Refusal::Installments(22),
        Refusal::NotDueYet(date("2026-12-23")),
        Refusal::AmountOutOfRange,
    ]
    .iter()
    .map(Refusal::message)
    .collect();
    insta::assert_snapshot!(messages.join("\n"));
}
