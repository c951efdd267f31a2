// The verified history of the installation: the checkpoint of each shard, the witnesses, the last audits and the keys.
import { Table } from "@mantine/core";
import { IconBinaryTree, IconEye } from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import type { StaffHistory } from "../../api/historySchema";
import { useApi } from "../../api/hooks";
import { FactList } from "../../components/FactList";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { PageLoader } from "../../components/PageLoader";
import { Panel } from "../../components/Panel";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ScrollRegion } from "../../components/ScrollRegion";
import { wholeNumber } from "../../format/money";
import { proofStrings } from "../../strings/pt-BR.proofs";
import { AuditResult } from "./AuditResult";
import styles from "./History.module.css";
import { historyCalls } from "./historyCalls";
import { PublicKeys } from "./PublicKeys";
import { WitnessList } from "./WitnessList";

const words = proofStrings.staff;

export default function StaffHistoryPage() {
  const read = useApi(historyCalls.staff);
  const { data, error } = read;
  return (
    <>
      <PageHeader
        title={screenTitle("/ajustes/historico")}
        hint={words.hint}
        actions={<RefreshSelect name="history" reads={[read]} onRefresh={() => void read.mutate()} />}
      />
      {data ? (
        <>
          <Audits history={data} />
          <Shards shards={data.shards} />
          <Witnesses witnesses={data.witnesses} />
          <PublicKeys keys={data.keys} />
        </>
      ) : (
        <Panel label={words.audits}>
          {error ? <FailureNotice failure={error} onRetry={() => void read.mutate()} /> : <PageLoader />}
        </Panel>
      )}
    </>
  );
}

function Audits({ history: { verified, replayed, outside } }: { history: StaffHistory }) {
  const copied = outside.at ? (
    <>
      <Instant at={outside.at} /> {outside.target && words.outsideAt(outside.target)}
    </>
  ) : outside.target ? (
    proofStrings.checks.never
  ) : (
    words.notConfigured
  );
  return (
    <Panel title={words.audits}>
      <FactList
        label={words.audits}
        facts={[
          [proofStrings.checks.verified, <AuditResult key="verified" run={verified} />],
          [proofStrings.checks.replayed, <AuditResult key="replayed" run={replayed} />],
          [
            words.outside,
            <>
              {copied}
              {outside.error && <div className={styles.found}>{outside.error}</div>}
            </>,
          ],
        ]}
      />
    </Panel>
  );
}

function Shards({ shards }: Pick<StaffHistory, "shards">) {
  const titles = words.columns;
  if (shards.length === 0) {
    return (
      <Panel title={words.shards}>
        <Notice icon={IconBinaryTree} title={words.noShardsTitle} heading="h3">
          {words.noShards}
        </Notice>
      </Panel>
    );
  }
  return (
    <Panel title={words.shards} hint={words.shardsHint} flush>
      <ScrollRegion label={words.shards} className={styles.scroll}>
        <Table aria-label={words.shards} className={styles.rows} data-wide>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{titles.shard}</Table.Th>
              <Table.Th scope="col" ta="right">
                {titles.size}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {titles.recorded}
              </Table.Th>
              <Table.Th scope="col">{titles.madeAt}</Table.Th>
              <Table.Th scope="col">{titles.witnesses}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shards.map(({ shard, size, recorded, made_at, witnesses }) => (
              <Table.Tr key={shard}>
                <Table.Th scope="row">{shard}</Table.Th>
                <Table.Td ta="right">{wholeNumber(size)}</Table.Td>
                <Table.Td ta="right">{wholeNumber(recorded)}</Table.Td>
                <Table.Td>
                  <Instant at={made_at} />
                </Table.Td>
                <Table.Td>
                  <WitnessList witnesses={witnesses} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Panel>
  );
}

function Witnesses({ witnesses }: Pick<StaffHistory, "witnesses">) {
  const titles = words.witnessColumns;
  if (witnesses.length === 0) {
    return (
      <Panel title={words.witnesses}>
        <Notice icon={IconEye} title={words.noWitnessesTitle} heading="h3">
          {words.noWitnesses}
        </Notice>
      </Panel>
    );
  }
  return (
    <Panel title={words.witnesses} flush>
      <ScrollRegion label={words.witnesses} className={styles.scroll}>
        <Table aria-label={words.witnesses} className={styles.rows} data-wide>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{titles.name}</Table.Th>
              <Table.Th scope="col">{titles.url}</Table.Th>
              <Table.Th scope="col">{titles.lastAt}</Table.Th>
              <Table.Th scope="col">{titles.error}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {witnesses.map(({ name, url, last_at, error }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>{url}</Table.Td>
                <Table.Td>{last_at ? <Instant at={last_at} /> : proofStrings.checks.never}</Table.Td>
                <Table.Td className={error ? styles.found : undefined}>{error ?? words.none}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Panel>
  );
}
