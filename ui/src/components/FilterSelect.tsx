// A filter of one choice, or none. What it chose is null when nothing is filtered.
import { Select } from "@mantine/core";

interface FilterSelectProps<Value extends string> {
  label: string;
  /** What is read while nothing is chosen: "Todos". */
  placeholder: string;
  options: Readonly<Record<Value, string>>;
  value: Value | null;
  onChange: (value: Value | null) => void;
}

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, placeholder, options, value, onChange } = props;
  const choices = Object.entries<string>(options).map(([key, text]) => ({ value: key, label: text }));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={choices}
      value={value}
      onChange={(chosen) => onChange(chosen as Value | null)}
      clearable
      size="sm"
      comboboxProps={{ shadow: "md" }}
    />
  );
}
