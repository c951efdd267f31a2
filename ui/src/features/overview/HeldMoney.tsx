// Why money of the company is held, the oldest first. Shown only while something is held.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { HoldRow } from "../../api/models";
import { useBusiness } from "../../api/session";
import { Panel } from "../../components/Panel";
import { Badge } from "../../components/StatusBadge";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { holdsStrings } from "../../strings/pt-BR.holds";
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
            <Row key={hold.id} hold={hold} />
          ))}
        </ul>
      </Panel>
    </div>
  );
}

function Row({ hold }: { hold: HoldRow }) {
  const until = hold.until ? `${holdsStrings.until} ${businessDate(hold.until)}` : holdsStrings.noDate;
  return (
    <li className={styles.withdrawal}>
      <span>
        <Anchor component={Link} to={`/financeiro/valores-retidos/${hold.id}`} inherit>
          {holdsStrings.kinds[hold.kind]}
        </Anchor>{" "}
        <span className={styles.rowTime}>{until}</span>
      </span>
      {hold.documents_missing.length > 0 ? <Badge tone="wait">{words.needsYou}</Badge> : <span />}
      <span className={styles.rowAmount}>{money(hold.amount)}</span>
    </li>
  );
}
