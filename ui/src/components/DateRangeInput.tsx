// The input of a period with its calendar. The defaults of the date input are set here and not in the theme, so that
// only this file loads @mantine/dates.
import "@mantine/dates/styles.css";
import { DatePickerInput, DatesProvider } from "@mantine/dates";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { businessNow } from "../api/serverClock";
import { useTimeZone } from "../api/session";
import { businessDate, dateIn, instant, monthStart, previousMonth, type TimeZone } from "../format/dates";
import { isInstant } from "../format/parts";
import { lastPeriod, PERIOD_OPTIONS } from "../format/periods";
import { zoneName } from "../format/timeZones";
import { strings } from "../strings/pt-BR";
import { periodStrings } from "../strings/pt-BR.period";
import { useIsPhone } from "./breakpoints";
import type { DateRangeProps, Preset } from "./DateRange";
import styles from "./DateRangeInput.module.css";

const words = periodStrings.period;

function pastPeriods(now: Date, zone: TimeZone): Preset[] {
  const today = dateIn(zone, now);
  return [
    [words.today, [today, today]],
    ...PERIOD_OPTIONS.map((option): Preset => [words.options[option], lastPeriod(option, now, zone)]),
    [words.thisMonth, [monthStart(today), today]],
    [words.lastMonth, previousMonth(today)],
  ];
}

/** The day that the calendar shows for an end of a period: an instant counts as its day in `zone`. */
function dayOf(end: string, zone: TimeZone): string {
  return isInstant(end) ? dateIn(zone, new Date(end)) : end;
}

type Ends = [start: string | null, end: string | null];

export default function DateRangeInput(props: DateRangeProps) {
  const { value, onChange, presets = pastPeriods, zone, placeholder = words.placeholder, error } = props;
  // Mantine forgets the first day of a half-chosen period unless the value contains it.
  const [draft, setDraft] = useState<Ends>();
  const phone = useIsPhone();
  const own = useTimeZone();
  const shownZone = zone ?? own;
  const label = words.labelIn(zoneName(shownZone));
  const chosen: Ends = value ? [dayOf(value.start, shownZone), dayOf(value.end, shownZone)] : [null, null];
  const hours =
    !draft && value && isInstant(value.start) && isInstant(value.end)
      ? [value.start, value.end].map((end) => instant(end, shownZone, "DD/MM HH:mm")).join(" a ")
      : undefined;
  return (
    <DatesProvider settings={{ locale: "pt-br", firstDayOfWeek: 0 }}>
      <DatePickerInput
        type="range"
        // The filters of a list give this input two columns.
        wrapperProps={{ "data-wide": true }}
        label={label}
        placeholder={placeholder}
        error={error}
        value={draft ?? chosen}
        valueFormatter={hours ? () => hours : undefined}
        onChange={([start, end]) => {
          setDraft(start && !end ? [start, end] : undefined);
          if (start && end) onChange({ start, end });
          // Mantine clears a half-chosen period when the calendar closes; the earlier period stays.
          else if (!start && !draft) onChange(null);
        }}
        onDropdownClose={() => setDraft(undefined)}
        presets={presets(businessNow(), shownZone).map(([label, range]) => ({ label, value: range }))}
        valueFormat="DD/MM/YYYY"
        getDayAriaLabel={(day) => businessDate(day, "D [de] MMMM [de] YYYY")}
        weekdayFormat="ddd"
        labelSeparator="a"
        allowSingleDateInRange
        hideOutsideDates
        classNames={{ datePickerRoot: styles.picker, presetsList: styles.presets, day: styles.day }}
        clearable
        clearButtonProps={{ "aria-label": words.clear }}
        leftSection={<IconCalendar size={16} aria-hidden />}
        leftSectionPointerEvents="none"
        // A popover would be cut off at 390 px.
        dropdownType={phone ? "modal" : "popover"}
        // Mantine gives the dropdown the role of a dialog, but no name.
        popoverProps={{ withRoles: false, returnFocus: true }}
        modalProps={{
          centered: true,
          withCloseButton: true,
          title: label,
          closeButtonProps: { "aria-label": strings.buttons.close },
        }}
        ariaLabels={{
          previousMonth: words.previousMonth,
          nextMonth: words.nextMonth,
          previousYear: words.previousYear,
          nextYear: words.nextYear,
          previousDecade: words.previousDecade,
          nextDecade: words.nextDecade,
          monthLevelControl: words.chooseMonth,
          yearLevelControl: words.chooseYear,
        }}
        size="sm"
      />
    </DatesProvider>
  );
}
