// A month as a grid of days. One day is in the tab order; keys move from it, also into other months
// (https://www.w3.org/WAI/ARIA/apg/patterns/grid/).
import { Skeleton, VisuallyHidden } from "@mantine/core";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { ReceivablesDay } from "../../api/models";
import { businessDateInWords } from "../../format/dates";
import { money } from "../../format/money";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { DayShares } from "./DayShares";
import { dayText } from "./dayText";
import { dayAfterKey, sameMonth, weeksOf } from "./monthDays";
import styles from "./Receivables.module.css";
import { stateOf } from "./sums";

const words = receivablesStrings.receivables;

export interface MonthViewProps {
  /** Any date of the month. */
  month: string;
  label: string;
  /** Undefined while they load. */
  days: readonly ReceivablesDay[] | undefined;
  today: string;
  onOpen: (date: string) => void;
  /** Called when a key leads to a day of another month. */
  onLeave: (date: string) => void;
}

export function MonthGrid({ month, label, days, today, onOpen, onLeave }: MonthViewProps) {
  const hint = useId();
  const grid = useRef<HTMLTableElement>(null);
  // The day that had the focus last, or that the pressed key leads to.
  const [reached, setReached] = useState<string>();
  // True from a key press until its day has the focus. The buttons that change the month keep the focus themselves.
  const focusMoves = useRef(false);
  const byDate = new Map(days?.map((day) => [day.due_date, day]));
  const start = reached ?? today;
  const inTabOrder = sameMonth(start, month) ? start : (days?.[0]?.due_date ?? month);
  useEffect(() => {
    if (!focusMoves.current || reached === undefined || !sameMonth(reached, month)) return;
    focusMoves.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-date="${reached}"]`)?.focus();
  }, [reached, month]);

  const onKeyDown = (event: KeyboardEvent, date: string) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = dayAfterKey(event.key, date);
    if (next === undefined) return;
    event.preventDefault();
    focusMoves.current = true;
    setReached(next);
    if (!sameMonth(next, month)) onLeave(next);
  };
  return (
    <div className={styles.gridFrame}>
      <VisuallyHidden id={hint}>{words.calendarHint}</VisuallyHidden>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table with keyboard navigation is a grid
        role="grid"
        className={styles.grid}
        aria-label={label}
        aria-describedby={hint}
        aria-busy={days === undefined}
      >
        <Weekdays />
        <tbody>
          {weeksOf(month).map((week, row) => (
            <tr key={row}>
              {week.map((date, column) =>
                date ? (
                  <td key={date}>
                    <DayButton
                      date={date}
                      day={byDate.get(date)}
                      loading={days === undefined}
                      today={date === today}
                      tabIndex={date === inTabOrder ? 0 : -1}
                      onFocus={() => setReached(date)}
                      onKeyDown={(event) => onKeyDown(event, date)}
                      onOpen={() => onOpen(date)}
                    />
                  </td>
                ) : (
                  <td key={column} className={styles.outside} />
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Weekdays() {
  return (
    <thead>
      <tr>
        {words.weekdays.map(([short, long]) => (
          <th key={long} scope="col" abbr={long} aria-label={long}>
            {short}
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface DayButtonProps {
  date: string;
  day: ReceivablesDay | undefined;
  loading: boolean;
  today: boolean;
  tabIndex: number;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onOpen: () => void;
}

function DayButton({ date, day, loading, today, tabIndex, onFocus, onKeyDown, onOpen }: DayButtonProps) {
  const inWords = businessDateInWords(date);
  return (
    <button
      type="button"
      className={styles.day}
      data-date={date}
      data-state={day && stateOf(day)}
      tabIndex={tabIndex}
      aria-label={day ? dayText(day) : loading ? inWords : words.dayWithNothingDue(inWords)}
      aria-current={today ? "date" : undefined}
      aria-disabled={day ? undefined : true}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
      onClick={day ? onOpen : undefined}
    >
      <span className={styles.number}>{Number(date.slice(-2))}</span>
      {day && (
        <>
          <span className={styles.amount}>{money(day.expected)}</span>
          <DayShares of={day} />
        </>
      )}
      {loading && <Skeleton height={12} width="70%" />}
    </button>
  );
}
