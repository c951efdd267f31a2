// The states of a withdrawal in a line, or below each other on a narrow screen.
import { IconArrowBackUp, IconCheck, IconX } from "@tabler/icons-react";
import type { ExecutionStep, Transfer } from "../../../api/models";
import { useTimeZone } from "../../../api/session";
import { Panel } from "../../../components/Panel";
import { businessDate, instant, instantWithWeekday } from "../../../format/dates";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { APPROVED } from "../transferCodes";
import styles from "./StatePath.module.css";
import { durationText, type PathState, pathOf } from "./statePath";

const words = withdrawalsStrings.page.path;

const ICONS = { good: IconCheck, bad: IconX, back: IconArrowBackUp } as const;

interface StatePathProps {
  transfer: Transfer;
  steps: readonly ExecutionStep[];
}

export function StatePath({ transfer, steps }: StatePathProps) {
  return (
    <Panel title={words.title} action={<Expectation transfer={transfer} steps={steps} />}>
      <ol className={styles.path} aria-label={words.title}>
        {pathOf(transfer.status, steps).map((state, index) => (
          // States are only added at the end.
          <State key={index} state={state} />
        ))}
      </ol>
    </Panel>
  );
}

/** "Previsto até seg, 30/11/2026 · pago em 3 min 46 s" */
function Expectation({ transfer: { expected_on, status }, steps }: StatePathProps) {
  const from = steps.find(({ kind }) => kind === "requested");
  const paid = status === APPROVED ? steps.findLast(({ kind }) => kind === "paid") : undefined;
  const parts = [
    expected_on ? words.expected(businessDate(expected_on, "ddd, DD/MM/YYYY")) : undefined,
    from && paid ? words.paidIn(durationText(from.at, paid.at)) : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0) return null;
  return <span className={styles.promise}>{parts.join(" · ")}</span>;
}

function State({ state: { title, at, who, tone } }: { state: PathState }) {
  const zone = useTimeZone();
  const Icon = tone === "next" ? undefined : ICONS[tone];
  return (
    <li data-tone={tone}>
      <span className={styles.mark} aria-hidden>
        {Icon && <Icon size={15} stroke={2.5} />}
      </span>
      <span className={styles.text}>
        <strong>{title}</strong>
        {at ? (
          <time dateTime={at} title={instantWithWeekday(at, zone)}>
            {instant(at, zone, "DD/MM/YYYY HH:mm:ss")}
          </time>
        ) : (
          <small>{words.toCome}</small>
        )}
        {who && <small>{who}</small>}
      </span>
    </li>
  );
}
