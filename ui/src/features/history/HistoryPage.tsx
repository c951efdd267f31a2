// The verified history of a company: what was checked, its proof as a file, and the check of a file.
import { IconShieldCheck } from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import type { VerifiedHistory } from "../../api/historySchema";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { FactList } from "../../components/FactList";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { PageLoader } from "../../components/PageLoader";
import { Panel } from "../../components/Panel";
import { wholeNumber } from "../../format/money";
import { proofStrings } from "../../strings/pt-BR.proofs";
import { AuditResult } from "./AuditResult";
import { CheckFile } from "./CheckFile";
import { DownloadProof } from "./DownloadProof";
import styles from "./History.module.css";
import { PublicKeys } from "./PublicKeys";
import { WitnessList } from "./WitnessList";

const words = proofStrings.checks;
const OWN = "/business/{businessId}/verified-history";

export default function HistoryPage() {
  const { id } = useBusiness();
  const history = useApi(OWN, { path: { businessId: id } }, { keepPrevious: false });
  const trusted = useApi("/ledger/keys");
  const error = history.error ?? trusted.error;
  const retry = () => void Promise.all([history.mutate(), trusted.mutate()]);
  return (
    <>
      <PageHeader title={screenTitle("/relatorios/historico")} hint={proofStrings.hint} />
      {history.data && trusted.data ? (
        <>
          <Checks history={history.data} />
          {history.data.checkpoint && <DownloadProof />}
          <CheckFile
            keys={trusted.data.data.map(({ public_key }) => public_key)}
            witnesses={trusted.data.witnesses}
          />
          <PublicKeys keys={trusted.data.data} />
        </>
      ) : (
        <Panel label={words.title}>
          {error ? <FailureNotice failure={error} onRetry={retry} /> : <PageLoader />}
        </Panel>
      )}
    </>
  );
}

function Checks({ history: { checkpoint, events, verified, replayed } }: { history: VerifiedHistory }) {
  return (
    <Panel title={words.title}>
      <p className={styles.meaning}>{words.meaning}</p>
      {checkpoint ? (
        <FactList
          label={words.title}
          facts={[
            [words.checkpoint, <Instant key="checkpoint" at={checkpoint.made_at} />],
            [words.events, wholeNumber(events)],
            [words.witnesses, <WitnessList key="witnesses" witnesses={checkpoint.witnesses} />],
            [words.verified, <AuditResult key="verified" run={verified} />],
            [words.replayed, <AuditResult key="replayed" run={replayed} />],
          ]}
        />
      ) : (
        <Notice icon={IconShieldCheck} title={words.emptyTitle} heading="h3">
          {words.empty}
        </Notice>
      )}
    </Panel>
  );
}
