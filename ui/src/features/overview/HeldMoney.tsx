// Why money of the company is held, the oldest first. Shown only while something is held.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { HoldRow, ReserveDay } from "../../api/models";
import { useBusiness } from "../../api/session";
import { Panel } from "../../components/Panel";
import { Badge } from "../../components/StatusBadge";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import { statusStrings } from "../../strings/pt-BR.status";
import styles from "./OverviewPage.module.css";

const words = holdsStrings.seller;
const HOLDS = "/financeiro/valores-retidos";
const SHOWN = 3;

export function HeldMoney() {
  const business = useBusiness();
  const { data } = useApi("/balance/holds", {
    query: { business_id: business.id, state: "open", order: "asc", perPage: SHOWN },
  });
  const hasReserve = data?.data.some(({ kind }) => kind === "reserve");
  const reserve = useApi(hasReserve ? "/balance/reserve" : null, {
    query: { business_id: business.id },
  }).data;
  if (!data || data.data.length === 0) return null;
  const all = (
    <Anchor component={Link} to="/financeiro/valores-retidos" size="sm">
      {statusStrings.blocked.see}
    </Anchor>
  );
  const acts = data.data.some(({ documents_missing }) => documents_missing.length > 0);
  return (
    <div className={styles.held} data-acts={acts || undefined}>
      <Panel title={screenTitle(HOLDS)} action={all} flush>
        <ul className={styles.latestRows}>
          {data.data.map((hold) => (
            <Row
              key={hold.id}
              hold={hold}
              release={hold.kind === "reserve" ? reserve?.coming[0] : undefined}
            />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

interface RowProps {
  hold: HoldRow;
  /** The next release of the reserve. */
  release: ReserveDay | undefined;
}

function untilText({ hold, release }: RowProps): string {
  if (release) {
    return reservesStrings.nextRelease(money(release.held), businessDate(release.release_on, "DD/MM"));
  }
  return hold.until ? `${holdsStrings.until} ${businessDate(hold.until)}` : holdsStrings.noDate;
}

function Row({ hold, release }: RowProps) {
  return (
    <li className={styles.withdrawal}>
      <span>
        <Anchor component={Link} to={`/financeiro/valores-retidos/${hold.id}`} inherit>
          {holdsStrings.kinds[hold.kind]}
        </Anchor>{" "}
        <span className={styles.rowTime}>{untilText({ hold, release })}</span>
      </span>
      {hold.documents_missing.length > 0 ? <Badge tone="wait">{words.needsYou}</Badge> : <span />}
      <span className={styles.rowAmount}>{money(hold.amount)}</span>
    </li>
  );
}
