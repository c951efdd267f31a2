// A select of one of a company's card machines by name or serial number. The gateway searches serial numbers, for
// companies with more machines than one page.
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../api/hooks";
import { terminalStrings } from "../strings/pt-BR.terminals";

interface TerminalSelectProps {
  businessId: string;
  value: string | null;
  onChange: (terminal: string | null) => void;
}

const PAUSE_MS = 250;
const PER_PAGE = 100;
const words = terminalStrings.machineSales;

export function TerminalSelect({ businessId, value, onChange }: TerminalSelectProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text.trim(), PAUSE_MS);
  const path = { businessId };
  const first = useApi("/business/{businessId}/terminals", { path, query: { perPage: PER_PAGE } });
  // The first page has all machines of nearly every company; only the others are searched.
  const isPartial = (first.data?.meta.total ?? 0) > PER_PAGE;
  const found = useApi(isPartial && search ? "/business/{businessId}/terminals" : null, {
    path,
    query: { perPage: PER_PAGE, serial_number: search },
  });
  const machines = [...(first.data?.data ?? []), ...(found.data?.data ?? [])];
  const options = new Map(
    machines.map(({ id, name, serial_number }) => [id, name ? `${name} (${serial_number})` : serial_number]),
  );
  // A machine that the company no longer has may still be in the address.
  if (value && !options.has(value)) options.set(value, words.otherTerminal);
  return (
    <Select
      label={words.terminal}
      placeholder={words.anyTerminal}
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
