// The search of a list. It runs after a pause in typing, or when the field loses the focus. The field follows a change
// of the address made elsewhere.
import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { strings } from "../strings/pt-BR";

interface SearchFieldProps {
  label: string;
  placeholder: string;
  value: string;
  onSearch: (text: string) => void;
  /** Takes two columns of the filters, for a long placeholder. */
  isWide?: boolean;
  /** Why the gateway refused the text. */
  error?: string | undefined;
}

const PAUSE_MS = 300;
/** The gateway refuses longer texts. */
const CHARS_MAX = 120;

export function SearchField({
  label,
  placeholder,
  value,
  onSearch,
  isWide = false,
  error,
}: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  // The last text that was searched or that came from the address.
  const sent = useRef(value);
  const send = (text: string) => {
    sent.current = text;
    onSearch(text);
  };
  const sendSoon = useDebouncedCallback(send, PAUSE_MS);
  useEffect(() => {
    // The address changed elsewhere, for example because the browser went back.
    if (value === sent.current) return;
    sendSoon.cancel();
    sent.current = value;
    setTyped(value);
  }, [value, sendSoon]);
  const clear = () => {
    sendSoon.cancel();
    setTyped("");
    send("");
  };
  return (
    <TextInput
      wrapperProps={{ "data-wide": isWide || undefined }}
      label={label}
      placeholder={placeholder}
      error={error}
      size="sm"
      maxLength={CHARS_MAX}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        typed !== "" && (
          <CloseButton
            size="sm"
            aria-label={strings.list.clearSearch}
            // The field keeps the focus: losing it would send the text that is cleared.
            onMouseDown={(event) => event.preventDefault()}
            onClick={clear}
          />
        )
      }
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        sendSoon(currentTarget.value.trim());
      }}
      // Then a click on 'Limpar filtros' finds the text in the address, and clears it.
      onBlur={() => sendSoon.flush()}
    />
  );
}
