// The sales of a period by one attribute, as figures with bars.
import { Skeleton } from "@mantine/core";
import { Panel } from "../../components/Panel";
import { money, percent, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { overviewStrings } from "../../strings/pt-BR.overview";
import styles from "./OverviewPage.module.css";
import type { Share } from "./shares";

const words = overviewStrings.overview;

interface BreakdownProps {
  title: string;
  hint: string;
  shares: readonly Share[] | undefined;
}

export function Breakdown({ title, hint, shares }: BreakdownProps) {
  return (
    <Panel title={title} hint={hint}>
      {shares === undefined ? (
        <BreakdownSkeleton />
      ) : shares.length === 0 ? (
        <p className={styles.none}>{words.noCards}</p>
      ) : (
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
      )}
    </Panel>
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
