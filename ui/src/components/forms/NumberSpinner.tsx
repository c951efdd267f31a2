// A whole number with buttons that decrease and increase it within its bounds. The specification names this field; no
// screen uses it yet.
import { ActionIcon, Group, TextInput } from "@mantine/core";
import { IconMinus, IconPlus } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { type Bounds, withinBounds } from "../../format/spinner";
import { strings } from "../../strings/pt-BR";

interface NumberSpinnerProps extends Bounds {
  label: string;
  value: number;
  onChange: (value: number) => void;
  error?: ReactNode;
  disabled?: boolean;
}

export function NumberSpinner({ label, value, onChange, min, max, error, disabled }: NumberSpinnerProps) {
  // A number may be out of bounds while it is typed: "1" on the way to "12". It is checked when the field is left.
  const [typed, setTyped] = useState<string>();
  // An empty field becomes the minimum, or 0 without a minimum.
  const settle = () => {
    if (typed !== undefined) onChange(withinBounds(typed === "" ? Number.NaN : Number(typed), { min, max }));
    setTyped(undefined);
  };
  useEffect(() => {
    const kept = withinBounds(value, { min, max });
    if (kept !== value) onChange(kept);
  }, [value, min, max, onChange]);
  const step = (by: 1 | -1) => onChange(withinBounds(value + by, { min, max }));
  return (
    <Group gap={6} align="flex-end" wrap="nowrap">
      <ActionIcon
        variant="default"
        size={36}
        onClick={() => step(-1)}
        disabled={disabled || value <= (min ?? Number.NEGATIVE_INFINITY)}
        aria-label={strings.spinner.less(label)}
      >
        <IconMinus size={16} aria-hidden />
      </ActionIcon>
      <TextInput
        label={label}
        error={error}
        disabled={disabled}
        inputMode="numeric"
        value={typed ?? String(value)}
        onChange={({ currentTarget }) => setTyped(currentTarget.value.replace(/(?!^-)\D/g, ""))}
        onBlur={settle}
        w={110}
      />
      <ActionIcon
        variant="default"
        size={36}
        onClick={() => step(1)}
        disabled={disabled || value >= (max ?? Number.POSITIVE_INFINITY)}
        aria-label={strings.spinner.more(label)}
      >
        <IconPlus size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
