// A choice of several companies as a list of checkboxes. Disabled companies show their reason.
import { Checkbox, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { ScrollRegion } from "../../components/ScrollRegion";
import { usersStrings } from "../../strings/pt-BR.users";
import styles from "./Users.module.css";

const words = usersStrings.userForm;

export interface CompanyChoice {
  id: string;
  name: string;
  /** Why the checkbox is disabled; undefined if it is not. */
  disabledReason?: string | undefined;
  /** Whether it is checked and cannot be unchecked. */
  kept?: boolean;
}

interface CompaniesFieldProps {
  choices: readonly CompanyChoice[];
  value: readonly string[];
  onChange: (ids: string[]) => void;
  error?: ReactNode;
  hint?: string | undefined;
  /** Set if the gateway searches; otherwise the list is filtered here. */
  onSearch?: (text: string) => void;
}

/** A list that is filtered here has a search field from this number of companies on. */
const SEARCHED_FROM = 7;

/** Without accents and in lowercase, so that "farmacia" finds "Farmácia". */
const folded = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export function CompaniesField(props: CompaniesFieldProps) {
  const { choices, value, onChange, error, hint, onSearch } = props;
  const [text, setText] = useState("");
  const searched = onSearch !== undefined || choices.length >= SEARCHED_FROM;
  const kept = choices.filter((choice) => choice.kept).map(({ id }) => id);
  const found = onSearch ? choices : choices.filter(({ name }) => folded(name).includes(folded(text)));
  return (
    <Checkbox.Group
      label={words.businesses}
      description={hint}
      withAsterisk
      error={error}
      // Kept companies are shown as checked, but the form does not send them.
      value={[...value, ...kept]}
      onChange={(ids) => onChange(ids.filter((id) => !kept.includes(id)))}
    >
      <div className={styles.companies}>
        {searched && (
          <TextInput
            aria-label={words.searchBusiness}
            placeholder={words.searchBusiness}
            leftSection={<IconSearch size={16} aria-hidden />}
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              onSearch?.(currentTarget.value.trim());
            }}
          />
        )}
        <ScrollRegion
          label={words.businesses}
          className={searched ? `${styles.companyList} ${styles.searchedList}` : styles.companyList}
        >
          {found.map(({ id, name, disabledReason }) => (
            <Checkbox
              key={id}
              value={id}
              label={name}
              description={disabledReason}
              disabled={disabledReason !== undefined}
            />
          ))}
          {found.length === 0 && <p className={styles.note}>{words.noBusinessFound}</p>}
        </ScrollRegion>
      </div>
    </Checkbox.Group>
  );
}
