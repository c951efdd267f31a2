// A month of the schedule, with buttons to other months: a grid of days, or a list on a narrow screen.
import { ActionIcon, Button } from "@mantine/core";
import { IconCalendarOff, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { Download } from "../../api/download";
import type { Read } from "../../api/hooks";
import type { ReceivablesDay } from "../../api/models";
import { useIsNarrow } from "../../components/breakpoints";
import { FailureNotice, Notice } from "../../components/Notice";
import { ExportButton, ExportFailure } from "../../components/table/ExportButton";
import { businessDate, shiftMonth } from "../../format/dates";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import type { OpenedDay, ScheduleFilters } from "./filters";
import { MonthGrid } from "./MonthGrid";
import { MonthList } from "./MonthList";
import styles from "./Receivables.module.css";

const words = receivablesStrings.receivables;

export type ScheduleRead = Read<{ data: ReceivablesDay[] }>;

interface ScheduleMonthProps {
  filters: ScheduleFilters;
  schedule: ScheduleRead;
  download: Download;
  onOpen: (opened: Pick<OpenedDay, "day">) => unknown;
}

export function ScheduleMonth({ filters, schedule, download, onOpen }: ScheduleMonthProps) {
  const narrow = useIsNarrow();
  const { today, period, changeMonth } = filters;
  const month = period.start;
  const name = businessDate(month, "MMMM [de] YYYY");
  const days = schedule.data?.data;
  const open = (day: string) => onOpen({ day });
  const Content = narrow ? MonthList : MonthGrid;
  return (
    <section className={styles.month} aria-label={words.calendarOf(name)}>
      <div className={styles.monthBar}>
        <div className={styles.monthNavigation}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.previousMonth}
            onClick={() => void changeMonth(shiftMonth(month, -1))}
          >
            <IconChevronLeft size={18} aria-hidden />
          </ActionIcon>
          <h2 className={styles.monthName} aria-live="polite">
            {name}
          </h2>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.nextMonth}
            onClick={() => void changeMonth(shiftMonth(month, 1))}
          >
            <IconChevronRight size={18} aria-hidden />
          </ActionIcon>
        </div>
        <div className={styles.monthTools}>
          <Button variant="default" size="sm" onClick={() => void changeMonth(today)}>
            {words.thisMonth}
          </Button>
          <ExportButton download={download} />
        </div>
      </div>
      <ExportFailure download={download} className={styles.message} />
      {schedule.error && !days ? (
        <FailureNotice failure={schedule.error} onRetry={() => void schedule.mutate()} />
      ) : narrow && days?.length === 0 ? (
        <NothingDue />
      ) : (
        <Content
          month={month}
          label={words.calendarOf(name)}
          days={days}
          today={today}
          onOpen={open}
          onLeave={(date) => void changeMonth(date)}
        />
      )}
    </section>
  );
}

function NothingDue() {
  return (
    <Notice icon={IconCalendarOff} title={words.emptyTitle}>
      {words.empty}
    </Notice>
  );
}
