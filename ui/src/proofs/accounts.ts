// The accounts of a company, and their balances in cents.

export const ACCOUNTS = [
  "receivable",
  "available",
  "in_transfer",
  "held_by_staff",
  "in_dispute",
  "platform_fees",
  "clearing",
] as const;

export type Account = (typeof ACCOUNTS)[number];
export type Accounts = Record<Account, number>;

export const noAccounts = (): Accounts => ({
  receivable: 0,
  available: 0,
  in_transfer: 0,
  held_by_staff: 0,
  in_dispute: 0,
  platform_fees: 0,
  clearing: 0,
});
