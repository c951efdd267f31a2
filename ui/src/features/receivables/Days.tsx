// The schedule by day, as a table.
import { IconCalendarOff } from "@tabler/icons-react";
import type { Download } from "../../api/download";
import { DateRange, type Preset } from "../../components/DateRange";
import { DataTable } from "../../components/table/DataTable";
import { useListState } from "../../components/table/listState";
import { BUSINESS_ZONE, monthEnd, monthStart, shiftDate, shiftMonth } from "../../format/dates";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { DAYS_ORDER, dayCard, dayColumns, dayTarget } from "./dayColumns";
import type { ScheduleFilters } from "./filters";
import type { ScheduleRead } from "./ScheduleMonth";
import { pageOf } from "./sums";

const words = receivablesStrings.receivables;

function periodPresets(today: string): Preset[] {
  const month = (date: string): [string, string] => [monthStart(date), monthEnd(date)];
  return [
    [words.presets.next7, [today, shiftDate(today, 6)]],
    [words.presets.next30, [today, shiftDate(today, 29)]],
    [words.thisMonth, month(today)],
    [words.presets.nextMonth, month(shiftMonth(today, 1))],
    [words.previousMonth, month(shiftMonth(today, -1))],
  ];
}

export function SchedulePeriod({ filters }: { filters: ScheduleFilters }) {
  return (
    <DateRange
      zone={BUSINESS_ZONE}
      value={filters.period}
      onChange={(period) => void filters.changePeriod(period)}
      presets={() => periodPresets(filters.today)}
    />
  );
}

interface DaysProps {
  filters: ScheduleFilters;
  schedule: ScheduleRead;
  download: Download;
}

export function Days({ filters, schedule, download }: DaysProps) {
  const list = useListState("asc");
  return (
    <DataTable
      name="receivable-days"
      label={words.days.table}
      columns={dayColumns}
      orderColumn={DAYS_ORDER}
      list={{
        ...list,
        read: { ...schedule, data: schedule.data && pageOf(schedule.data.data, list) },
        download,
      }}
      afterFilters={<SchedulePeriod filters={filters} />}
      icon={IconCalendarOff}
      words={words}
      rowId={(day) => day.due_date}
      rowTarget={dayTarget}
      card={dayCard}
    />
  );
}
