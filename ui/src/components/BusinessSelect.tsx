// Chooses one of all companies by name or document; the gateway does the searching.
import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../api/hooks";

export interface NamedBusiness {
  id: string;
  name: string;
}

interface BusinessSelectProps extends Omit<SelectProps, "data" | "onSearchChange" | "searchValue"> {
  /** The chosen one, where it is known already: it need not be among the found ones. */
  chosen?: NamedBusiness | undefined;
}

const PAUSE_MS = 250;

/** The company of an id in the address. The rows on the screen can't tell: a page may have none of its. */
export function useBusinessName(id: string | null): NamedBusiness | undefined {
  const path = id ? "/admin/businesses/{id}" : null;
  return useApi(path, { path: { id: id ?? "" } }, { keepPrevious: false, mayMiss: true }).data;
}

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
