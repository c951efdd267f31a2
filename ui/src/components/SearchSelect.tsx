// A select whose options the gateway searches while the user types.
import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";

const PAUSE_MS = 250;

interface Choice {
  value: string;
  label: string;
}

/** The query of the search, which follows the typed text after a pause, and the function that takes the text. */
export function useTypedSearch() {
  const [text, onType] = useState("");
  const [search] = useDebouncedValue(text, PAUSE_MS);
  return { query: search ? { search } : {}, onType };
}

interface SearchSelectProps extends Omit<SelectProps, "data" | "onSearchChange" | "searchValue"> {
  /** The results of the search. */
  found: readonly Choice[];
  /** The chosen option, if known. It may be missing from the search results. */
  chosen: Choice | undefined;
  /** Takes the typed text; "" when the text is an option's label, so that a choice does not start a search. */
  onType: (text: string) => void;
}

export function SearchSelect({ found, chosen, onType, ...field }: SearchSelectProps) {
  const isMissing = chosen && !found.some(({ value }) => value === chosen.value);
  const options = isMissing ? [chosen, ...found] : [...found];
  return (
    <Select
      searchable
      clearable
      {...field}
      data={options}
      // No filter here: the gateway also matches texts that the labels lack, such as documents.
      filter={({ options: all }) => all}
      onSearchChange={(typed) => onType(options.some(({ label }) => label === typed) ? "" : typed)}
    />
  );
}
