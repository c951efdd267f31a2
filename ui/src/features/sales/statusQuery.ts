// The gateway's name of a status filter. The filter "Estornado" means the statuses refunded and reversed. In a list by
// reversal date (`by=reversed`), the gateway takes `reversed` for that status alone, and `returned` for both.

export function statusQuery(by: string | null, status: string): string {
  return by === "reversed" && status === "reversed" ? "returned" : status;
}
