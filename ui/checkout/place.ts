// Which of the three pages an address names.

export type Place =
  | { page: "link"; code: string }
  | { page: "order"; id: string }
  | { page: "boleto"; id: string }
  | { page: "unknown" };

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function placeOf(pathname: string): Place {
  const [first, id, last, more] = pathname.split("/").filter(Boolean).map(decoded);
  if (!id || more !== undefined) return { page: "unknown" };
  if (first === "pl" && last === undefined) return { page: "link", code: id.toUpperCase() };
  if (first === "b" && last === undefined) return { page: "boleto", id };
  if (first === "transacao" && last === "status") return { page: "order", id };
  return { page: "unknown" };
}

export const addressOfOrder = (id: string) => `/transacao/${encodeURIComponent(id)}/status`;
export const addressOfLink = (code: string) => `/pl/${encodeURIComponent(code)}`;
