// The filters of a list. On a phone they are folded behind a button, and a chip removes each that restricts the list;
// what is typed stays on the screen.
import { Button } from "@mantine/core";
import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react";
import { Fragment, type ReactNode, useId, useState } from "react";
import { strings } from "../../strings/pt-BR";
import { useIsPhone } from "../breakpoints";
import styles from "./DataTable.module.css";
import type { ShownFilter } from "./filters";

const words = strings.list;

interface FilterFieldsProps {
  filters: { clear: () => unknown; fields: readonly ShownFilter[] };
  after: ReactNode;
}

/** Fewer fields take no more room than the button. */
const FOLDED_MIN = 2;

export function FilterFields({ filters: { fields, clear }, after }: FilterFieldsProps) {
  const phone = useIsPhone();
  const [open, setOpen] = useState(false);
  const foldedId = useId();
  const folded = fields.filter(({ isTyped }) => !isTyped);
  const shown = (some: readonly ShownFilter[]) =>
    some.map(({ key, field }) => <Fragment key={key}>{field}</Fragment>);
  if (!phone || folded.length < FOLDED_MIN) {
    return (
      <div className={styles.filters}>
        {shown(fields)}
        {after}
      </div>
    );
  }
  const chosen = folded.filter(({ chip }) => chip !== undefined);
  return (
    <>
      <div className={styles.filters}>{shown(fields.filter(({ isTyped }) => isTyped))}</div>
      <Button
        variant="default"
        size="sm"
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
        rightSection={chosen.length > 0 && <span className={styles.filterCount}>{chosen.length}</span>}
        aria-expanded={open}
        aria-controls={open ? foldedId : undefined}
        className={styles.foldButton}
        onClick={() => setOpen(!open)}
      >
        {words.filters}
      </Button>
      {open && (
        <div className={styles.filters} id={foldedId}>
          {shown(folded)}
          {after}
        </div>
      )}
      {chosen.length > 0 && (
        <ul className={styles.chips} aria-label={words.chosenFilters}>
          {chosen.map(({ key, chip, remove }) => (
            <li key={key}>
              <button type="button" className={styles.chip} title={words.removeFilter} onClick={remove}>
                <span>{chip}</span>
                <IconX size={14} aria-label={words.removeFilter} />
              </button>
            </li>
          ))}
          <li>
            <Button variant="subtle" size="compact-sm" onClick={clear}>
              {words.clearFilters}
            </Button>
          </li>
        </ul>
      )}
    </>
  );
}
