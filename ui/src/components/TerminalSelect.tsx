// A select of one of a company's card machines by name or serial number. For companies with more machines than one
// page, the gateway searches the serial numbers.
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useMayCall } from "../api/access";
import { useApi } from "../api/hooks";
import { panel } from "../api/panel";
import { terminalStrings } from "../strings/pt-BR.terminals";

interface TerminalSelectProps {
  businessId: string;
  value: string | null;
  onChange: (terminal: string | null) => void;
  /** Why the gateway refused the choice. */
  error?: string | undefined;
}

const PAUSE_MS = 250;
const PER_PAGE = 100;
const words = terminalStrings.machineSales;

const nameOf = ({ name, serial_number }: { name: string | null; serial_number: string }) =>
  name ? `${name} (${serial_number})` : serial_number;

/** A page of the company's machines; null reads nothing. Each panel has its own call. */
function useTerminals(businessId: string, query: { serial_number?: string } | null) {
  const page = { ...query, perPage: PER_PAGE };
  const own = useApi(query && panel === "seller" ? "/business/{businessId}/terminals" : null, {
    path: { businessId },
    query: page,
  });
  const staff = useApi(query && panel === "admin" ? "/admin/terminals" : null, {
    query: { ...page, business_id: businessId },
  });
  return panel === "seller" ? own : staff;
}

/** The name of a company's machine; undefined if it is not on the first page, or if the user may not see machines. */
export function useTerminalName(businessId: string | undefined, id: string | null | undefined) {
  const seesMachines = useSeesMachines();
  const { data } = useTerminals(businessId ?? "", businessId && id && seesMachines ? {} : null);
  const machine = data?.data.find((each) => each.id === id);
  return machine && nameOf(machine);
}

/** Whether the user may read the machines of a company. */
export function useSeesMachines(): boolean {
  return useMayCall(panel === "seller" ? "GET /business/{businessId}/terminals" : "GET /admin/terminals");
}

export function TerminalSelect({ businessId, value, onChange, error }: TerminalSelectProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  const first = useTerminals(businessId, {});
  // Only a company with more than one page of machines needs the search.
  const isPartial = (first.data?.meta.total ?? 0) > PER_PAGE;
  const found = useTerminals(businessId, isPartial && search ? { serial_number: search } : null);
  const machines = [...(first.data?.data ?? []), ...(found.data?.data ?? [])];
  const options = new Map(machines.map((machine) => [machine.id, nameOf(machine)]));
  // The machine in the address may be on a later page, or no longer be the company's.
  if (value && !options.has(value)) options.set(value, words.otherTerminal);
  return (
    <Select
      label={words.terminal}
      placeholder={words.anyTerminal}
      error={error}
      size="sm"
      searchable
      clearable
      data={[...options].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      onSearchChange={(typed) => setText([...options.values()].includes(typed) ? "" : typed)}
      comboboxProps={{ shadow: "md" }}
    />
  );
}
