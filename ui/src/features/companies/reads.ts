// The reads that a change of a company makes outdated, in either panel.
export const COMPANY_READS = {
  refreshes: [
    "/admin/businesses/{id}",
    "/admin/businesses/{id}/history",
    // After a decision on the company, its documents can no longer be removed.
    "/admin/businesses/{id}/documents",
    "/admin/businesses",
    "/business/{businessId}",
  ],
} as const;
