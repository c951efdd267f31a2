// The gateway's name of a status. Among reversals, a word names one status; "Estornado" has two here.

export function statusQuery(by: string | null, status: string): string {
  return by === "reversed" && status === "reversed" ? "returned" : status;
}
