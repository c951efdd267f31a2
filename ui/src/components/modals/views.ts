// The named modals of both panels: the payload and the result of each. The specification sets the names.
import type {
  AdjustmentRequest,
  AdminUser,
  BusinessAddress,
  BusinessDetail,
  OwnTerminal,
  PlanDetail,
  ReceivingPlan,
  SaleDetail,
  SellerUser,
  StaffSellerUser,
  Terminal,
  Transfer,
} from "../../api/models";

interface BusinessPayload {
  businessId: string;
}

interface SalePayload {
  sale: SaleDetail;
}

interface TerminalPayload {
  terminal: Terminal;
}

/** Without a user, the form creates one. */
interface UserPayload<User> {
  user?: User;
}

export interface ModalViews {
  REQUEST_TRANSFER: { payload: BusinessPayload; result: Transfer };
  REQUEST_MANUAL_TRANSFER: { payload: BusinessPayload; result: Transfer | AdjustmentRequest };
  TERMINAL_VIEW: {
    /** The company that the form begins with. */
    payload: { business: { id: string; name: string } | undefined };
    result: Terminal;
  };
  TERMINAL_EDIT: { payload: TerminalPayload; result: Terminal };
  TERMINAL_RENTAL_EDIT: { payload: TerminalPayload; result: Terminal };
  TERMINAL_EDIT_NAME: { payload: BusinessPayload & { terminal: OwnTerminal }; result: OwnTerminal };
  /** Without an address, the form adds one. */
  ADDRESS_EDIT: { payload: BusinessPayload & { version: number; address?: BusinessAddress }; result: object };
  ADD_BANK_ACCOUNT: {
    payload: { business: Pick<BusinessDetail, "id" | "name" | "document" | "type"> };
    result: object;
  };
  CANCEL_TRANSACTION_MODAL: { payload: SalePayload; result: SaleDetail };
  DISPUTE_TRANSACTION_MODAL: { payload: SalePayload; result: SaleDetail };
  END_DISPUTE_MODAL: { payload: SalePayload; result: SaleDetail };
  /** Without a plan, the form creates one. */
  PLAN_RECEIVING_VIEW: { payload: { plan?: ReceivingPlan }; result: ReceivingPlan };
  /** Without a plan, the form creates one. */
  PLAN_VIEW: { payload: { planId?: string }; result: PlanDetail };
  USER_VIEW: { payload: UserPayload<AdminUser>; result: AdminUser };
  USER_SELLER_VIEW: {
    payload: UserPayload<SellerUser | StaffSellerUser>;
    result: SellerUser | StaffSellerUser;
  };
}

export type ModalView = keyof ModalViews;
