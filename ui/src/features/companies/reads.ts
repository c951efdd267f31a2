// What a change of a company makes outdated, in either panel.
export const COMPANY_READS = {
  refreshes: [
    "/admin/businesses/{id}",
    "/admin/businesses/{id}/history",
    "/admin/businesses",
    "/business/{businessId}",
  ],
} as const;
