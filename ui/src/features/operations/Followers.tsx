// How far the read models are behind the log, and which followers have stopped before an event that they cannot apply.
import { Table } from "@mantine/core";
import { useApi } from "../../api/hooks";
import { FailureNotice } from "../../components/Notice";
import { PageLoader } from "../../components/PageLoader";
import { Panel } from "../../components/Panel";
import { RefreshSelect } from "../../components/RefreshSelect";
import { ScrollRegion } from "../../components/ScrollRegion";
import { wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { stoppedText } from "./followerText";
import styles from "./Operations.module.css";

const titles = words.columns;

export function Followers() {
  const read = useApi("/admin/operations/followers");
  const { data, error } = read;
  const refresh = <RefreshSelect name="followers" reads={[read]} onRefresh={() => void read.mutate()} />;
  return (
    <Panel title={words.followers.table} action={refresh} flush>
      {data ? (
        <ScrollRegion label={words.followers.table} className={undefined}>
          <Table aria-label={words.followers.table} verticalSpacing="sm" horizontalSpacing="md">
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{titles.name}</Table.Th>
                <Table.Th scope="col" ta="right">
                  {titles.lag}
                </Table.Th>
                <Table.Th scope="col">{titles.stopped}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {data.data.map(({ name, lag_events, stopped }) => (
                <Table.Tr key={name}>
                  <Table.Td>{words.followerNames[name] ?? name}</Table.Td>
                  <Table.Td ta="right">
                    {/* Only read models have a lag. An effect handler is listed because it has stopped. */}
                    {lag_events === null ? strings.list.none : wholeNumber(lag_events)}
                  </Table.Td>
                  <Table.Td className={stopped.length > 0 ? styles.negative : undefined}>
                    {stoppedText({ lag_events, stopped })}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollRegion>
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void read.mutate()} />
      ) : (
        <PageLoader />
      )}
    </Panel>
  );
}
