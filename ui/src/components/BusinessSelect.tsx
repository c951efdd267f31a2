// A select of one company by name or document. The gateway searches.
import type { SelectProps } from "@mantine/core";
import { useApi } from "../api/hooks";
import { SearchSelect, useTypedSearch } from "./SearchSelect";

export interface NamedBusiness {
  id: string;
  name: string;
}

interface BusinessSelectProps extends Omit<SelectProps, "data" | "onSearchChange" | "searchValue"> {
  /** The chosen company, if known. It may be missing from the search results. */
  chosen?: NamedBusiness | undefined;
}

/** Reads a company by its id. The company of an id in the address may have no row on the current page. */
export function useNamedBusiness(id: string | null): NamedBusiness | undefined {
  const path = id ? "/admin/businesses/{id}" : null;
  return useApi(path, { path: { id: id ?? "" } }, { keepPrevious: false, mayNotExist: true }).data;
}

const choiceOf = ({ id, name }: NamedBusiness) => ({ value: id, label: name });

export function BusinessSelect({ chosen, ...field }: BusinessSelectProps) {
  const { query, onType } = useTypedSearch();
  const { data } = useApi("/admin/businesses/list", { query });
  return (
    <SearchSelect
      {...field}
      found={(data?.data ?? []).map(choiceOf)}
      chosen={chosen && choiceOf(chosen)}
      onType={onType}
    />
  );
}
