// The content of each named modal, loaded when the modal first opens.
import { lazy } from "react";
import type { ModalContents } from "../components/modals/modals";

export const modalContents: ModalContents = {
  REQUEST_TRANSFER: lazy(() => import("../features/withdrawals/RequestTransferModal")),
  REQUEST_MANUAL_TRANSFER: lazy(() => import("../features/balance/ManualTransferModal")),
  ADDRESS_EDIT: lazy(() => import("../features/companies/AddressModal")),
  ADD_BANK_ACCOUNT: lazy(() => import("../features/companies/BankAccountModal")),
  CANCEL_TRANSACTION_MODAL: lazy(() => import("../features/reversals/CancelSaleModal")),
  DISPUTE_TRANSACTION_MODAL: lazy(() => import("../features/reversals/DisputeSaleModal")),
  END_DISPUTE_MODAL: lazy(() => import("../features/reversals/EndDisputeModal")),
  TERMINAL_VIEW: lazy(() => import("../features/terminals/EnableTerminalModal")),
  TERMINAL_EDIT: lazy(() => import("../features/terminals/TerminalCompanyModal")),
  TERMINAL_RENTAL_EDIT: lazy(() => import("../features/terminals/TerminalBillingModal")),
  TERMINAL_EDIT_NAME: lazy(() => import("../features/terminals/TerminalNameModal")),
  PLAN_RECEIVING_VIEW: lazy(() => import("../features/plans/ReceivingPlanModal")),
  PLAN_VIEW: lazy(() => import("../features/plans/PlanModal")),
  USER_VIEW: lazy(() => import("../features/users/adminUsers/AdminUserModal")),
  USER_SELLER_VIEW: lazy(() => import("../features/users/SellerUserModal")),
};
