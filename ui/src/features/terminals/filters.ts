// The filters of staff's list of terminals, kept in the address.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useListFilters } from "../../components/table/listFilters";
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
};

export function useTerminalFilters() {
  const { chosen, changeTyped, ...filters } = useListFilters(parsers);
  const { business, serial, status, billing, sort } = chosen;
  return {
    ...filters,
    ...chosen,
    changeSerial: (next: string) => changeTyped({ serial: next || null }),
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
