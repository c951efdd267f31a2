// The bank holidays of a year: national ones, and local ones that are added and removed here.
import { ActionIcon, Button, Skeleton } from "@mantine/core";
import { IconChevronLeft, IconChevronRight, IconPlus } from "@tabler/icons-react";
import { parseAsInteger, useQueryState } from "nuqs";
import { useState } from "react";
import { screenTitle, useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { Holiday } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { History, useHistory } from "../../components/history/History";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { businessDate, businessToday } from "../../format/dates";
import { strings } from "../../strings/pt-BR";
import { holidaysStrings as words } from "../../strings/pt-BR.holidays";
import { HolidayModal } from "./HolidayModal";
import styles from "./Holidays.module.css";
import { RemoveHolidayModal } from "./RemoveHolidayModal";

/** The years for which the gateway lists holidays. */
const YEARS = { first: 2000, last: 2199 };

export default function HolidaysPage() {
  const today = businessToday(businessNow());
  const thisYear = Number(today.slice(0, 4));
  const [year, setYear] = useQueryState(
    "year",
    parseAsInteger.withDefault(thisYear).withOptions({ history: "push" }),
  );
  const { data, error, mutate } = useApi("/admin/holidays", { query: { year } });
  const mayAdd = useMayCall("POST /admin/holidays");
  const mayRemove = useMayCall("DELETE /admin/holidays/{date}");
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Holiday>();
  const [done, setDone] = useState<string>();
  const finish = (message: string) => {
    setAdding(false);
    setRemoving(undefined);
    setDone(message);
  };
  return (
    <>
      <PageHeader
        title={screenTitle("/ajustes/feriados")}
        hint={words.hint}
        actions={
          mayAdd && (
            <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
              {words.add}
            </Button>
          )
        }
      />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <Panel title={words.title(year)} action={<YearSwitch year={year} onChange={setYear} />} flush>
        {data ? (
          <ul className={shared.list} aria-label={words.title(data.year)}>
            {data.data.map((holiday) => (
              <HolidayLine
                key={holiday.date}
                holiday={holiday}
                onRemove={
                  mayRemove && holiday.kind === "local" && holiday.date >= today
                    ? () => setRemoving(holiday)
                    : undefined
                }
              />
            ))}
          </ul>
        ) : error ? (
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        ) : (
          <ListSkeleton />
        )}
      </Panel>
      {(data || error) && <AuditLog />}
      {adding && (
        <HolidayModal
          onClose={() => setAdding(false)}
          onDone={(date, name) => {
            void setYear(Number(date.slice(0, 4)));
            finish(words.added(name));
          }}
        />
      )}
      {removing && (
        <RemoveHolidayModal holiday={removing} onClose={() => setRemoving(undefined)} onDone={finish} />
      )}
    </>
  );
}

function YearSwitch({ year, onChange }: { year: number; onChange: (year: number) => unknown }) {
  return (
    <div className={styles.years}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={words.previousYear}
        disabled={year <= YEARS.first}
        onClick={() => onChange(year - 1)}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={words.nextYear}
        disabled={year >= YEARS.last}
        onClick={() => onChange(year + 1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </div>
  );
}

interface HolidayLineProps {
  holiday: Holiday;
  /** Undefined if the holiday cannot be removed. */
  onRemove: (() => void) | undefined;
}

function HolidayLine({ holiday, onRemove }: HolidayLineProps) {
  return (
    <li className={styles.holiday}>
      <div className={styles.day}>
        <strong>{businessDate(holiday.date)}</strong>
        <span className={shared.dim}>{businessDate(holiday.date, "dddd")}</span>
      </div>
      <div className={styles.name}>
        <span>{holiday.name}</span>
        <span className={shared.dim}>{words.kinds[holiday.kind]}</span>
      </div>
      {onRemove && (
        <Button variant="default" size="xs" aria-label={words.removeOf(holiday.name)} onClick={onRemove}>
          {words.remove}
        </Button>
      )}
    </li>
  );
}

/** The placeholder has as many lines as most years have national holidays. */
const SKELETON_LINES = Array.from({ length: 13 }, (_, line) => line);

function ListSkeleton() {
  return (
    <div className={shared.list} role="status" aria-label={strings.loading}>
      {SKELETON_LINES.map((line) => (
        <div key={line} className={styles.holiday}>
          <Skeleton height={42} />
        </div>
      ))}
    </div>
  );
}

function AuditLog() {
  const list = useHistory("/admin/holidays/history");
  return <History subject="holiday" list={list} />;
}
