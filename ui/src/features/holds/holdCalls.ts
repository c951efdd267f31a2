// What the commands on holds refresh.
export const HOLD_READS = [
  "/admin/balance/holds",
  "/admin/balance/holds/{business_id}/{hold_id}",
  "/admin/balance/hold-documents",
  "/admin/balance/adjustments",
  "/admin/balance/history",
  "/admin/businesses/{id}/journal",
  "/admin/overview",
] as const;

/** The address of a hold's page for staff. The company is in the query, because some ids are the same in each. */
export const staffHoldPath = ({ id, business_id }: { id: string; business_id: string }) =>
  `/saques/retencoes/${id}?business=${business_id}`;
