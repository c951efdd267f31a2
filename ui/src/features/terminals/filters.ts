// The filters of staff's list of terminals, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { terminalStrings } from "../../strings/pt-BR.terminals";

export const choices = {
  status: terminalStrings.status,
  billing: terminalStrings.billingTypes as Record<"0" | "1", string>,
};

const parsers = {
  business: parseAsString,
  serial: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["in_use", "in_stock"] as const),
  billing: parseAsStringLiteral(["0", "1"] as const),
  sort: parseAsStringLiteral(["serial_number", "created_at"] as const),
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useTerminalFilters() {
  const [{ page: _, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const { business, serial, status, billing, sort } = chosen;
  return {
    ...chosen,
    any: business !== null || serial !== "" || status !== null || billing !== null,
    // Replaces the history entry, so that going back undoes the search instead of its last letter.
    changeSerial: (next: string) => set({ serial: next || null, page: null }, { history: "replace" }),
    change: (next: Partial<Omit<typeof chosen, "serial">>) => set({ ...next, page: null }),
    clear: () => set(null),
    query: {
      ...(business && { business_id: business }),
      ...(serial && { serial_number: serial }),
      ...(status && { status }),
      ...(billing && { billing_type: Number(billing) }),
      ...(sort && { sort }),
    },
  };
}

export type TerminalFilters = ReturnType<typeof useTerminalFilters>;
