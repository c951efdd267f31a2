// The credits that a withdrawal consists of, in the order in which they came in.
import { Button, Skeleton, Table } from "@mantine/core";
import { useState } from "react";
import { useDownload } from "../../api/download";
import { useApi } from "../../api/hooks";
import type { Transfer, TransferCredit } from "../../api/models";
import { useIsPhone } from "../../components/breakpoints";
import { DetailModal } from "../../components/DetailModal";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { ExportButton, ExportFailure } from "../../components/table/ExportButton";
import { RowCards } from "../../components/table/RowCards";
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
  const phone = useIsPhone();
  const pages = cursors.map((next, index) => (
    <Credits
      key={next ?? ""}
      transfer={transfer}
      next={next}
      onMore={index === cursors.length - 1 ? (cursor) => setCursors([...cursors, cursor]) : undefined}
    />
  ));
  return (
    <DetailModal onClose={onClose} title={words.title(money(transfer.amount))} size="48rem">
      <p className={styles.choiceNote}>{words.hint}</p>
      <div className={styles.files}>
        <ExportButton download={xlsx} />
        <ExportButton download={csv} label={strings.list.exportCsv} />
      </div>
      <ExportFailure download={xlsx} />
      <ExportFailure download={csv} />
      {phone ? (
        pages
      ) : (
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
            <Table.Tbody>{pages}</Table.Tbody>
          </Table>
        </ScrollRegion>
      )}
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
  const phone = useIsPhone();
  const Whole = phone ? "p" : WholeRow;
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
      {phone ? (
        <RowCards
          label={words.table}
          rows={page.data}
          stale={false}
          rowId={({ movement }) => String(movement?.id)}
          rowTarget={saleTarget}
          card={card}
        />
      ) : (
        page.data.map((credit, index) => (
          // The rows of a page never change places.
          <Credit key={index} credit={credit} />
        ))
      )}
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

function WholeRow({ children }: { children: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Td colSpan={5}>{children}</Table.Td>
    </Table.Tr>
  );
}

function saleTarget({ movement }: TransferCredit): RowTarget | undefined {
  const sale = movement?.sale_id;
  if (!sale) return undefined;
  return { to: `/vendas/${sale}`, label: balanceStrings.statement.openSale(shortCode(sale)) };
}

function card({ movement, amount }: TransferCredit): Card {
  return {
    title: movement?.description ?? words.uncovered,
    value: money(amount),
    note: movement && <Instant at={movement.occurred_at} />,
    badge: movement?.sale_id && <span className={shared.dim}>{shortCode(movement.sale_id)}</span>,
  };
}

function Credit({ credit }: { credit: TransferCredit }) {
  const { movement, amount } = credit;
  const target = saleTarget(credit);
  return (
    <Table.Tr>
      <Table.Td>{movement ? <Instant at={movement.occurred_at} /> : strings.list.none}</Table.Td>
      <Table.Td>{movement?.description ?? words.uncovered}</Table.Td>
      <Table.Td>
        {movement?.sale_id && target ? (
          <RowLink target={target}>{shortCode(movement.sale_id)}</RowLink>
        ) : (
          strings.list.none
        )}
      </Table.Td>
      <Table.Td data-align="end">{movement ? money(movement.amount) : strings.list.none}</Table.Td>
      <Table.Td data-align="end">{money(amount)}</Table.Td>
    </Table.Tr>
  );
}
