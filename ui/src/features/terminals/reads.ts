// The reads that a change of a terminal by staff makes outdated.
export const TERMINAL_READS = [
  "/admin/terminals",
  "/admin/terminals/{terminal_id}",
  "/admin/terminals/{terminal_id}/history",
] as const;
