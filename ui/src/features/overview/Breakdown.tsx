// The sales of a period by payment type and by brand, as figures with bars. They are in two panels; a phone shows one
// at a time and a switch.
import { SegmentedControl, Skeleton } from "@mantine/core";
import { useState } from "react";
import type { Overview } from "../../api/models";
import { useIsPhone } from "../../components/breakpoints";
import { Panel } from "../../components/Panel";
import { money, percent, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { overviewStrings } from "../../strings/pt-BR.overview";
import styles from "./OverviewPage.module.css";
import { BREAKDOWNS, type Share } from "./shares";

const words = overviewStrings.overview;

interface BreakdownsProps {
  overview: Overview | undefined;
}

export function Breakdowns({ overview }: BreakdownsProps) {
  const phone = useIsPhone();
  const [chosen, choose] = useState<string>(BREAKDOWNS[0].value);
  if (!phone) {
    return (
      <div className={styles.pair}>
        {BREAKDOWNS.map(({ value, label, emptyText, shares }) => (
          <Panel key={value} title={label}>
            <Shares shares={overview && shares(overview)} emptyText={emptyText} />
          </Panel>
        ))}
      </div>
    );
  }
  const { label, emptyText, shares } = BREAKDOWNS.find(({ value }) => value === chosen) ?? BREAKDOWNS[0];
  return (
    <Panel label={label}>
      <SegmentedControl
        fullWidth
        size="xs"
        mb="sm"
        aria-label={words.breakdown}
        value={chosen}
        onChange={choose}
        data={BREAKDOWNS.map(({ value, label }) => ({ value, label }))}
      />
      <Shares shares={overview && shares(overview)} emptyText={emptyText} />
    </Panel>
  );
}

interface SharesProps {
  shares: readonly Share[] | undefined;
  /** Shown if there are no shares. */
  emptyText: string;
}

function Shares({ shares, emptyText }: SharesProps) {
  if (shares === undefined) return <BreakdownSkeleton />;
  if (shares.length === 0) return <p className={styles.none}>{emptyText}</p>;
  return (
    <ul className={styles.shares}>
      {shares.map(({ name, count, gross, ratio }) => (
        <li key={name}>
          <div className={styles.shareLine}>
            <span>{name}</span>
            <strong>{money(gross)}</strong>
          </div>
          <div className={styles.bar} aria-hidden>
            <div className={styles.barFill} style={{ transform: `scaleX(${ratio})` }} />
          </div>
          <div className={styles.shareNote}>
            {words.salesCount(count, wholeNumber(count))} · {words.share(percent(ratio))}
          </div>
        </li>
      ))}
    </ul>
  );
}

function BreakdownSkeleton() {
  return (
    <div className={styles.shares} role="status" aria-label={strings.loading}>
      {[90, 65, 40, 20].map((width) => (
        <div key={width}>
          <div className={styles.shareLine}>
            <Skeleton width="45%">{"\u00a0"}</Skeleton>
          </div>
          <Skeleton height={8} width={`${width}%`} mt={6} mb={4} />
          <div className={styles.shareNote}>
            <Skeleton width="30%">{"\u00a0"}</Skeleton>
          </div>
        </div>
      ))}
    </div>
  );
}
