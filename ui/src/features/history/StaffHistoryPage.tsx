// The verified history of the installation: the checkpoint of each shard, the witnesses, the last audits and the keys.
import { Table } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { LedgerHistory } from "../../api/models";
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
import { PublicKeys } from "./PublicKeys";
import { WitnessList } from "./WitnessList";

const words = proofStrings.staff;

export default function StaffHistoryPage() {
  const read = useApi("/admin/operations/verified-history");
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

function Outside({ at, name }: NonNullable<LedgerHistory["outside"]>) {
  return (
    <>
      <Instant at={at} /> <span className={styles.fileName}>{name}</span>
    </>
  );
}

function Audits({ history: { verified, replayed, outside } }: { history: LedgerHistory }) {
  return (
    <Panel title={words.audits}>
      <FactList
        label={words.audits}
        facts={[
          [proofStrings.checks.verified, <AuditResult key="verified" run={verified} />],
          [proofStrings.checks.replayed, <AuditResult key="replayed" run={replayed} />],
          [words.outside, outside ? <Outside key="outside" {...outside} /> : words.notOutside],
        ]}
      />
    </Panel>
  );
}

function Shards({ shards }: Pick<LedgerHistory, "shards">) {
  const titles = words.columns;
  return (
    <Panel title={words.shards} hint={words.shardsHint} flush>
      <ScrollRegion label={words.shards} className={styles.scroll}>
        <Table aria-label={words.shards} className={styles.rows} data-wide>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{titles.shard}</Table.Th>
              <Table.Th scope="col" ta="right">
                {titles.recorded}
              </Table.Th>
              <Table.Th scope="col" ta="right">
                {titles.size}
              </Table.Th>
              <Table.Th scope="col">{titles.madeAt}</Table.Th>
              <Table.Th scope="col">{titles.witnesses}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shards.map(({ shard, recorded, checkpoint }) => (
              <Table.Tr key={shard}>
                <Table.Th scope="row">{shard}</Table.Th>
                <Table.Td ta="right">{wholeNumber(recorded)}</Table.Td>
                {checkpoint ? (
                  <>
                    <Table.Td ta="right">{wholeNumber(checkpoint.size)}</Table.Td>
                    <Table.Td>
                      <Instant at={checkpoint.made_at} />
                    </Table.Td>
                    <Table.Td>
                      <WitnessList witnesses={checkpoint.witnesses} />
                    </Table.Td>
                  </>
                ) : (
                  <Table.Td colSpan={3}>{recorded > 0 ? words.noCheckpoint : words.noEvents}</Table.Td>
                )}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Panel>
  );
}

function Witnesses({ witnesses }: Pick<LedgerHistory, "witnesses">) {
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
              <Table.Th scope="col" ta="right">
                {titles.missing}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {witnesses.map(({ name, url, last_at, missing }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row">{name}</Table.Th>
                <Table.Td>{url}</Table.Td>
                <Table.Td>{last_at ? <Instant at={last_at} /> : proofStrings.checks.never}</Table.Td>
                <Table.Td ta="right" className={missing > 0 ? styles.found : undefined}>
                  {wholeNumber(missing)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Panel>
  );
}
