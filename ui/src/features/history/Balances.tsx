// The balances that a company's proof shows: of its period, or at its checkpoint.
import { Table } from "@mantine/core";
import { ScrollRegion } from "../../components/ScrollRegion";
import { money } from "../../format/money";
import { ACCOUNTS } from "../../proofs/accounts";
import type { VerifiedCompany } from "../../proofs/verify";
import { proofStrings } from "../../strings/pt-BR.proofs";
import styles from "./History.module.css";

const words = proofStrings.check;

export function Balances({ proof: { accounts, period } }: { proof: VerifiedCompany }) {
  const columns = period
    ? ([
        [words.opening, period.opening],
        [words.closing, period.closing],
      ] as const)
    : ([[words.now, accounts]] as const);
  return (
    <ScrollRegion label={words.balances} className={styles.scroll}>
      <Table aria-label={words.balances} className={styles.figures}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.account}</Table.Th>
            {columns.map(([title]) => (
              <Table.Th key={title} scope="col" ta="right">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ACCOUNTS.map((account) => (
            <Table.Tr key={account}>
              <Table.Th scope="row">{words.accounts[account]}</Table.Th>
              {columns.map(([title, balances]) => (
                <Table.Td key={title} ta="right">
                  {money(balances[account])}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollRegion>
  );
}
