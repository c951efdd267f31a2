// The fields of an address. A look-up of the postal code fills in the street, the neighborhood, the city and the state.
// Before the first look-up, an empty form shows the postal code only. Another code empties them first, so that no part
// of another place stays. A look-up that fails shows a note, and fills in the state, which follows from the code.
import { Loader, Select, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { asFailure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { PostalCodeInput } from "../../components/forms/MaskedInput";
import type { Form } from "../../components/forms/useValidatedForm";
import { STATES } from "../../format/states";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import type { AddressValues } from "./companyForm";

const words = companiesStrings.address;
const POSTAL_CODE_DIGITS = 8;
const NOT_FOUND = 404;

interface Found {
  response: { address: string; city: string; district: string; state: string };
  /** If false, only the state is known. */
  complete: boolean;
}

export function AddressFields({ form }: { form: Form<AddressValues> }) {
  const [revealed, setRevealed] = useState(form.values.postal_code !== "");
  const { look, searching, note } = useLookUp(form, () => setRevealed(true));
  const postalCode = form.getInputProps("postal_code");
  return (
    <>
      <PostalCodeInput
        label={words.postalCode}
        description={note ?? words.postalCodeHint}
        value={form.values.postal_code}
        rightSection={searching && <Loader size="xs" aria-label={words.searching} />}
        data-autofocus
        {...postalCode}
        onChange={(bare: string) => {
          form.setFieldValue("postal_code", bare);
          if (bare !== form.values.postal_code) empty(form);
          void look(bare);
        }}
      />
      {revealed && (
        <>
          <TextInput label={words.address} maxLength={120} {...form.getInputProps("address")} />
          <div className={styles.pair}>
            <TextInput label={words.number} maxLength={20} {...form.getInputProps("number")} />
            <TextInput label={words.complement} maxLength={120} {...form.getInputProps("complement")} />
          </div>
          <TextInput label={words.reference} maxLength={120} {...form.getInputProps("reference")} />
          <TextInput label={words.neighborhood} maxLength={120} {...form.getInputProps("neighborhood")} />
          <div className={styles.pair}>
            <TextInput label={words.city} maxLength={120} {...form.getInputProps("city")} />
            <Select
              label={words.state}
              data={[...STATES]}
              searchable
              {...form.getInputProps("state")}
              value={form.values.state || null}
            />
          </div>
        </>
      )}
    </>
  );
}

/** Looks up each complete code. If the code changes before the answer, the answer is ignored. */
function useLookUp(form: Form<AddressValues>, reveal: () => void) {
  // useApi reads when the screen renders. This read starts when a code is complete, so it is a command.
  const { run: find } = useCommand("GET /postalcode/{postalCode}", { refreshes: [] });
  const last = useRef("");
  const [searching, setSearching] = useState(false);
  const [note, setNote] = useState<string>();
  const look = async (code: string) => {
    last.current = code;
    const isComplete = code.length === POSTAL_CODE_DIGITS;
    setSearching(isComplete);
    setNote(undefined);
    if (!isComplete) return;
    try {
      const path = { postalCode: code };
      const found: Found = await find({ path });
      if (last.current !== code) return;
      fill(form, found.response);
      if (!found.complete) setNote(words.notAnswered);
      else if (!found.response.address) setNote(words.wholeTown);
    } catch (error) {
      if (last.current !== code) return;
      const { status, message, state } = asFailure(error);
      setNote(status === NOT_FOUND ? message : words.notAnswered);
      if (state) form.setFieldValue("state", state);
    }
    setSearching(false);
    reveal();
  };
  return { look, searching, note };
}

/** The parts of an address that a postal code decides. */
const OF_CODE = ["address", "neighborhood", "city", "state"] as const;

function empty(form: Form<AddressValues>) {
  for (const field of OF_CODE) form.setFieldValue(field, "");
}

/** A field keeps what was typed during the look-up if the service does not know that part of the address. */
function fill(form: Form<AddressValues>, found: Found["response"]) {
  const parts = {
    address: found.address,
    neighborhood: found.district,
    city: found.city,
    state: found.state,
  };
  for (const [field, value] of Object.entries(parts)) {
    if (value) form.setFieldValue(field, value);
  }
}
