// Chooses one of all companies by name or document; the gateway does the searching.
import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../api/hooks";

interface BusinessSelectProps extends Omit<SelectProps, "data" | "onSearchChange" | "searchValue"> {
  /** The chosen one, where it is known already: it need not be among the found ones. */
  chosen?: { id: string; name: string } | undefined;
}

const PAUSE_MS = 250;

export function BusinessSelect({ chosen, ...field }: BusinessSelectProps) {
  const [text, setText] = useState("");
  const [search] = useDebouncedValue(text, PAUSE_MS);
  const found = useApi("/admin/businesses/list", { query: search ? { search } : {} });
  const businesses = found.data?.data ?? [];
  const options = businesses.map(({ id, name }) => ({ value: id, label: name }));
  if (chosen && !businesses.some(({ id }) => id === chosen.id))
    options.unshift({ value: chosen.id, label: chosen.name });
  return (
    <Select
      searchable
      clearable
      {...field}
      data={options}
      // The gateway has matched documents too, which the labels do not show.
      filter={({ options: all }) => all}
      onSearchChange={(typed) => setText(options.some(({ label }) => label === typed) ? "" : typed)}
    />
  );
}
