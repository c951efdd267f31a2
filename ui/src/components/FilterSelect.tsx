// A filter with one choice or none. Null means that the list is not filtered.
import { Select } from "@mantine/core";

interface FilterSelectProps<Value extends string | number> {
  label: string;
  /** The text while nothing is chosen: "Todos". */
  placeholder: string;
  options: Readonly<Record<Value, string>>;
  value: `${Value}` | null;
  onChange: (value: `${Value}` | null) => void;
  /** Why the gateway refused the choice. */
  error?: string | undefined;
}

export function FilterSelect<Value extends string | number>(props: FilterSelectProps<Value>) {
  const { label, placeholder, options, value, onChange, error } = props;
  const choices = Object.entries<string>(options).map(([key, text]) => ({ value: key, label: text }));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={choices}
      value={value}
      onChange={(chosen) => onChange(chosen as `${Value}` | null)}
      clearable
      error={error}
      size="sm"
      comboboxProps={{ shadow: "md" }}
    />
  );
}
