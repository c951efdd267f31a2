// The reads that a change of a company makes outdated, in either panel.
export const COMPANY_READS = {
  refreshes: [
    "/admin/businesses/{id}",
    "/admin/businesses/{id}/history",
    // An approval or a denial ends the removal of documents.
    "/admin/businesses/{id}/documents",
    "/admin/businesses",
    "/business/{businessId}",
  ],
} as const;
