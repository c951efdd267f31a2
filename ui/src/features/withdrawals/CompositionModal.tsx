// The credits that a withdrawal consists of, in the order in which they came in.
import { Button, Skeleton, Table } from "@mantine/core";
import { useState } from "react";
import { useDownload } from "../../api/download";
import { useApi } from "../../api/hooks";
import type { Transfer, TransferCredit } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { ScrollRegion } from "../../components/ScrollRegion";
import { ExportButton, ExportFailure } from "../../components/table/ExportButton";
import { RowLink } from "../../components/table/RowLink";
import { money } from "../../format/money";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import styles from "./Modals.module.css";

const PATH = "/balance/transfers/{transfer_id}/composition";
const ROWS = 50;
const words = withdrawalsStrings.composition;

interface CompositionModalProps {
  transfer: Transfer;
  company: string;
  onClose: () => void;
}

export default function CompositionModal({ transfer, company, onClose }: CompositionModalProps) {
  const { id, business_id } = transfer;
  const params = { path: { transfer_id: id }, query: { business_id } };
  const xlsx = useDownload(PATH, params, words.file, company);
  const csv = useDownload(PATH, params, words.file, company, "csv");
  // The cursors of the pages that are shown, from the first page on.
  const [cursors, setCursors] = useState<readonly (string | undefined)[]>([undefined]);
  return (
    <DetailModal onClose={onClose} title={words.title(money(transfer.amount))} size="48rem">
      <p className={styles.choiceNote}>{words.hint}</p>
      <div className={styles.files}>
        <ExportButton download={xlsx} />
        <ExportButton download={csv} label={strings.list.exportCsv} />
      </div>
      <ExportFailure download={xlsx} />
      <ExportFailure download={csv} />
      <ScrollRegion className={styles.credits} label={words.table}>
        <Table stickyHeader aria-label={words.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.columns.at}</Table.Th>
              <Table.Th scope="col">{words.columns.description}</Table.Th>
              <Table.Th scope="col">{words.columns.sale}</Table.Th>
              <Table.Th scope="col" data-align="end">
                {words.columns.credited}
              </Table.Th>
              <Table.Th scope="col" data-align="end">
                {words.columns.amount}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cursors.map((next, index) => (
              <Credits
                key={next ?? ""}
                transfer={transfer}
                next={next}
                onMore={
                  index === cursors.length - 1 ? (cursor) => setCursors([...cursors, cursor]) : undefined
                }
              />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </DetailModal>
  );
}

interface CreditsProps {
  transfer: Transfer;
  next: string | undefined;
  /** Undefined if the next page is shown already. */
  onMore: ((cursor: string) => void) | undefined;
}

/** A page of credits, and the button that shows the next one. */
function Credits({ transfer: { id, business_id }, next, onMore }: CreditsProps) {
  const query = { business_id, perPage: ROWS, ...(next && { next }) };
  const read = useApi(PATH, { path: { transfer_id: id }, query }, { keepPrevious: false });
  const page = read.data;
  if (!page) {
    return (
      <Whole>
        {read.error ? (
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        ) : (
          <Skeleton height={80} />
        )}
      </Whole>
    );
  }
  const cursor = page.meta.next;
  return (
    <>
      {page.data.length === 0 && <Whole>{words.empty}</Whole>}
      {page.data.map((credit, index) => (
        // The rows of a page never change places.
        <Credit key={index} credit={credit} />
      ))}
      {cursor && onMore && (
        <Whole>
          <Button variant="default" onClick={() => onMore(cursor)}>
            {words.more}
          </Button>
        </Whole>
      )}
    </>
  );
}

function Whole({ children }: { children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Td colSpan={5}>{children}</Table.Td>
    </Table.Tr>
  );
}

function Credit({ credit: { movement, amount } }: { credit: TransferCredit }) {
  const sale = movement?.sale_id;
  return (
    <Table.Tr>
      <Table.Td>{movement ? <Instant at={movement.occurred_at} /> : strings.list.none}</Table.Td>
      <Table.Td>{movement?.description ?? words.uncovered}</Table.Td>
      <Table.Td>
        {sale ? (
          <RowLink
            target={{ to: `/vendas/${sale}`, label: balanceStrings.statement.openSale(shortCode(sale)) }}
          >
            {shortCode(sale)}
          </RowLink>
        ) : (
          strings.list.none
        )}
      </Table.Td>
      <Table.Td data-align="end">{movement ? money(movement.amount) : strings.list.none}</Table.Td>
      <Table.Td data-align="end">{money(amount)}</Table.Td>
    </Table.Tr>
  );
}
