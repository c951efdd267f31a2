// The words of companies, their bank accounts and plans.

import { AccountType, Approval, BusinessType } from "../api/words.json";

export const businessStrings = {
  businessType: BusinessType,
  approval: Approval,
  approvalUndefined: Approval.pending,
  accountTypes: AccountType,
  feeTypes: { false: "Taxa Efetiva", true: "Taxa MDR" },
} as const;
