// The receivables schedule as a calendar, by day or by unit. A day or a unit opens its installments.
import { lazy, Suspense } from "react";
import { useDownload } from "../../api/download";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { Figure, Figures } from "../../components/Figure";
import { PageHeader } from "../../components/PageHeader";
import { type PageTab, PageTabs } from "../../components/PageTabs";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { Days } from "./Days";
import { useOpenedDay, useScheduleFilters, type View } from "./filters";
import styles from "./Receivables.module.css";
import { ScheduleMonth } from "./ScheduleMonth";
import { type ReceivablesSum, scheduledOf, sumOf } from "./sums";
import { Units } from "./Units";

const InstallmentsModal = lazy(() => import("./InstallmentsModal"));

const words = receivablesStrings.receivables;

export default function ReceivablesPage() {
  const business = useBusiness();
  const filters = useScheduleFilters();
  const openedDay = useOpenedDay();
  const query = { business_id: business.id, ...filters.period };
  // Days of another period must not appear under this period's name.
  const schedule = useApi("/receivables", { query }, { keepPrevious: false });
  const download = useDownload("/receivables", { query }, words.days.file, business.name);
  const days = schedule.data?.data;
  const views: PageTab<View>[] = [
    [
      "calendar",
      words.view.calendar,
      <ScheduleMonth
        key="month"
        filters={filters}
        schedule={schedule}
        download={download}
        onOpen={openedDay.open}
      />,
    ],
    ["list", words.view.list, <Days key="days" filters={filters} schedule={schedule} download={download} />],
    ["units", words.view.units, <Units key="units" filters={filters} />],
  ];
  return (
    <>
      <PageHeader title={words.title} hint={words.hint} />
      <Totals sum={days && sumOf(days)} failed={schedule.error !== undefined} />
      <PageTabs
        label={words.views}
        open={filters.view}
        onChange={filters.changeView}
        tabs={views}
        tabClass={styles.tab}
      />
      <Suspense>
        {openedDay.opened && (
          <InstallmentsModal {...openedDay.opened} onClose={() => void openedDay.close()} />
        )}
      </Suspense>
    </>
  );
}

function Totals({ sum, failed }: { sum: ReceivablesSum | undefined; failed: boolean }) {
  const shown = (cents: number | undefined) =>
    cents === undefined ? (failed ? strings.list.none : undefined) : money(cents);
  return (
    <Figures label={words.figures}>
      <Figure
        label={words.expected}
        value={shown(sum?.expected)}
        note={sum && words.expectedHint(words.count(sum.count, wholeNumber(sum.count)))}
        strong
      />
      <Figure label={words.settled} value={shown(sum?.settled)} note={words.settledHint} />
      <Figure label={words.accelerated} value={shown(sum?.accelerated)} note={words.acceleratedHint} />
      <Figure label={words.scheduled} value={shown(sum && scheduledOf(sum))} note={words.scheduledHint} />
    </Figures>
  );
}
