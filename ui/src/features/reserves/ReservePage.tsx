// The reserve of a company, in both panels: how it works, what it releases when, and of which installments it is.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { Reserve } from "../../api/models";
import { Figure, Figures } from "../../components/Figure";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { Panel } from "../../components/Panel";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { reservesStrings as words } from "../../strings/pt-BR.reserves";
import { ReserveCalendar } from "./ReserveCalendar";
import { ReservedInstallments } from "./ReservedInstallments";
import styles from "./Reserves.module.css";
import { useReserve } from "./reserveCalls";
import { useReserveTab } from "./reserveTabs";

interface ReservePageProps {
  business: { id: string; name: string | undefined };
  title: string;
  /** The link back. */
  top: ReactNode;
  actions?: ReactNode;
}

export function ReservePage({ business, title, top, actions }: ReservePageProps) {
  const { data, error, mutate } = useReserve(business.id);
  const [tab, setTab] = useReserveTab();
  return (
    <div className={styles.page}>
      <div>
        {top}
        <PageHeader title={title} hint={words.staff.hint} actions={actions} />
      </div>
      <Summary reserve={data} failed={error !== undefined} />
      <PageTabs
        label={words.tabs}
        open={tab}
        onChange={(next) => void setTab(next)}
        tabs={[
          [
            "calendar",
            words.calendar,
            data ? (
              <ReserveCalendar reserve={data} />
            ) : error ? (
              <Panel label={words.coming}>
                <FailureNotice failure={error} onRetry={() => void mutate()} />
              </Panel>
            ) : (
              <Skeleton height={320} radius={12} />
            ),
          ],
          ["installments", words.installments, <ReservedInstallments key="list" business={business} />],
        ]}
      />
    </div>
  );
}

function Summary({ reserve, failed }: { reserve: Reserve | undefined; failed: boolean }) {
  const shown = (cents: number | undefined) =>
    cents !== undefined ? money(cents) : failed || reserve ? strings.list.none : undefined;
  const next = reserve?.coming[0];
  const lately = reserve?.past.reduce((sum, { released }) => sum + released, 0);
  const days = reserve?.coming.length ?? 0;
  return (
    <Figures label={words.figures}>
      <Figure
        label={words.held}
        value={shown(reserve?.held)}
        note={reserve && (days > 0 ? words.heldDays(days) : words.nothingHeld)}
        strong
      />
      <Figure
        label={words.next}
        value={shown(next?.held)}
        note={reserve && (next ? businessDate(next.release_on, "ddd, DD/MM/YYYY") : words.noNext)}
      />
      <Figure label={words.lately} value={shown(lately)} note={words.latelyHint} />
    </Figures>
  );
}
