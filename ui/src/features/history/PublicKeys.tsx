// The public keys of the ledger, folded: few users need them.
import { Table } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import type { LedgerKey } from "../../api/historySchema";
import { Instant } from "../../components/Instant";
import { Notice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { proofStrings } from "../../strings/pt-BR.proofs";
import styles from "./History.module.css";

const words = proofStrings.keys;

export function PublicKeys({ keys }: { keys: readonly LedgerKey[] }) {
  return (
    <Panel title={words.title} hint={words.hint}>
      {keys.length === 0 ? (
        <Notice icon={IconKey} title={words.emptyTitle} heading="h3" />
      ) : (
        <details className={styles.keys}>
          <summary>{words.show}</summary>
          <ScrollRegion label={words.table} className={styles.scroll}>
            <Table aria-label={words.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th scope="col">{words.key}</Table.Th>
                  <Table.Th scope="col">{words.from}</Table.Th>
                  <Table.Th scope="col">{words.to}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {keys.map(({ public_key, from, to }) => (
                  <Table.Tr key={public_key}>
                    <Table.Td>
                      <code className={styles.key}>{public_key}</code>
                    </Table.Td>
                    <Table.Td>{from ? <Instant at={from} /> : words.notYet}</Table.Td>
                    <Table.Td>{to ? <Instant at={to} /> : words.inUse}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </ScrollRegion>
        </details>
      )}
    </Panel>
  );
}
