// The rules of a reserve that are in force and those that are scheduled, and all versions of them.
import type { ReserveVersion, ReserveVersions } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { Badge } from "../../components/StatusBadge";
import { businessDate, businessToday } from "../../format/dates";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import styles from "./Reserves.module.css";
import {
  holds,
  inForce,
  periodText,
  rulesText,
  scheduled,
  termsText,
  type VersionState,
  versionStates,
} from "./reserveRules";

const words = reservesStrings.staff;

export const today = () => businessToday(businessNow());

interface RulesSummaryProps {
  rules: ReserveVersions;
  /** Whether they are of a receiving plan: then nothing is a company's own. */
  ofPlan?: boolean;
}

export function RulesSummary({ rules, ofPlan = false }: RulesSummaryProps) {
  const current = inForce(rules, today());
  const later = scheduled(rules, today());
  const originOf = (isOwn: boolean) =>
    !ofPlan && <Badge tone="info">{isOwn ? words.own : words.ofPlan}</Badge>;
  return (
    <div className={styles.stack}>
      {current ? (
        <div className={styles.stack}>
          <p className={styles.titleLine}>
            {originOf(current.isOwn)}
            {!holds(current.version) && current.isOwn && !ofPlan && (
              <Badge tone="quiet">{words.exempt}</Badge>
            )}
            <span className={shared.dim}>{words.since(businessDate(current.version.valid_from))}</span>
          </p>
          <p>
            {holds(current.version) || !current.isOwn || ofPlan
              ? rulesText(current.version)
              : words.exemptText}
          </p>
        </div>
      ) : (
        <p className={shared.hint}>{words.noRules}</p>
      )}
      {later.length > 0 && (
        <div>
          <h3 className={styles.heading}>{words.scheduled}</h3>
          <ul className={styles.versions} aria-label={words.scheduled}>
            {later.map(({ version, isOwn }) => (
              <li key={`${isOwn} ${version.version}`}>
                <span className={styles.titleLine}>
                  <strong>{words.from(businessDate(version.valid_from))}</strong>
                  {originOf(isOwn)}
                </span>
                <span>{rulesText(version)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

const TONES = {
  inForce: "good",
  scheduled: "wait",
  replaced: "quiet",
  ended: "quiet",
} as const satisfies Record<VersionState, string>;

export function RulesVersions({ title, versions }: { title: string; versions: readonly ReserveVersion[] }) {
  const states = versionStates(versions, today());
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {versions.length === 0 ? (
        <p className={shared.hint}>{words.noVersions}</p>
      ) : (
        <ul className={styles.versions} aria-label={title}>
          {versions.map((version, index) => (
            <li key={version.version}>
              <span className={styles.titleLine}>
                <strong>{termsText(version)}</strong>
                <StateBadge state={states[index] ?? "replaced"} />
              </span>
              <span>{`${words.version(version.version)}, ${periodText(version)}`}</span>
              <span>{version.reason}</span>
              <span className={shared.dim}>
                <Instant at={version.recorded_at} /> · {words.by(version.by)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function StateBadge({ state }: { state: VersionState }) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}
