// A select of one company by name or document. The gateway searches.
import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useApi } from "../api/hooks";

export interface NamedBusiness {
  id: string;
  name: string;
}

interface BusinessSelectProps extends Omit<SelectProps, "data" | "onSearchChange" | "searchValue"> {
  /** The chosen company, if known. It may be missing from the search results. */
  chosen?: NamedBusiness | undefined;
}

const PAUSE_MS = 250;

/** The company of an id in the address. It may have no row on the current page, so it is read by itself. */
export function useBusinessName(id: string | null): NamedBusiness | undefined {
  const path = id ? "/admin/businesses/{id}" : null;
  return useApi(path, { path: { id: id ?? "" } }, { keepPrevious: false, mayNotExist: true }).data;
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
      // The gateway also matches documents, which the labels do not show.
      filter={({ options: all }) => all}
      onSearchChange={(typed) => setText(options.some(({ label }) => label === typed) ? "" : typed)}
    />
  );
}
