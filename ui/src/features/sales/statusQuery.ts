// The gateway's name of a status filter. The filter "Estornado" (`reversed`) means the statuses refunded and reversed.
// The gateway takes `reversed` for both, except in a list by reversal date (`by=reversed`): there it is that status
// alone, and `returned` is both.

export function statusQuery(by: string | null, status: string): string {
  return by === "reversed" && status === "reversed" ? "returned" : status;
}
