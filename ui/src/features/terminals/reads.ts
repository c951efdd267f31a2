// The reads to repeat after staff changed a terminal.
export const TERMINAL_READS = [
  "/admin/terminals",
  "/admin/terminals/{terminal_id}",
  "/admin/terminals/{terminal_id}/history",
] as const;
