// One recorded event of the ledger: its content, its postings, and its place in the hash chain.
import { Skeleton, Table } from "@mantine/core";
import { useApi } from "../../api/hooks";
import type { LedgerEvent } from "../../api/models";
import { lookUp } from "../../format/lookUp";
import { money, wholeNumber } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { DetailModal } from "../DetailModal";
import { FactList } from "../FactList";
import type { Fact } from "../facts";
import { Instant } from "../Instant";
import { FailureNotice } from "../Notice";
import { RawText } from "../RawText";
import shared from "../Shared.module.css";
import styles from "./LedgerEventModal.module.css";

const words = balanceStrings.ledgerEvent;
const EVENTS = ledgerStrings.journal.events;

interface LedgerEventModalProps {
  businessId: string;
  /** The event's id, or its sequence number within the company. */
  event: string;
  onClose: () => void;
}

export default function LedgerEventModal({ businessId, event: named, onClose }: LedgerEventModalProps) {
  const event = useApi(
    "/admin/businesses/{id}/events/{event}",
    { path: { id: businessId, event: named } },
    { keepPrevious: false },
  );
  return (
    <DetailModal onClose={onClose} title={words.title} size="lg" centered>
      {event.data ? (
        <Event event={event.data} />
      ) : event.error ? (
        <FailureNotice failure={event.error} onRetry={() => void event.mutate()} />
      ) : (
        <Skeleton height={360} />
      )}
    </DetailModal>
  );
}

function Event({ event }: { event: LedgerEvent }) {
  const facts: Fact[] = [
    [words.type, typeText(event)],
    [words.sequence, wholeNumber(event.sequence)],
    [words.occurredAt, <Instant key="occurred" at={event.occurred_at} weekday />],
    [words.recordedAt, <Instant key="recorded" at={event.recorded_at} weekday />],
  ];
  const technical: Fact[] = [
    [words.id, event.id],
    [words.position, words.positionIn(event.shard, event.position)],
    [
      words.digest,
      <span key="digest" className={styles.digest}>
        {event.digest}
      </span>,
    ],
    [
      words.chain,
      <span key="chain" className={styles.digest}>
        {event.chain}
      </span>,
    ],
  ];
  return (
    <>
      <FactList facts={facts} />
      <h3 className={shared.section}>{words.postings}</h3>
      {event.postings.length === 0 ? (
        <p className={shared.hint}>{words.noPostings}</p>
      ) : (
        <Table aria-label={words.postings}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.account}</Table.Th>
              <Table.Th scope="col" ta="right">
                {words.amount}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {event.postings.map(({ account, amount }, index) => (
              <Table.Tr key={index}>
                <Table.Td>{lookUp(words.accounts, account) ?? account}</Table.Td>
                <Table.Td ta="right">{money(amount)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <RawText title={words.payload}>{JSON.stringify(event.payload, null, 2)}</RawText>
      <details className={styles.technical}>
        <summary>{words.technical}</summary>
        <FactList facts={technical} />
        <RawText title={words.metadata}>{JSON.stringify(event.metadata, null, 2)}</RawText>
      </details>
    </>
  );
}

/** "Venda capturada (SaleCaptured, versão 1)"; without a translation, only the code. */
function typeText({ type, version }: LedgerEvent): string {
  const code = words.version(type, version);
  const name = lookUp(EVENTS, type);
  return name ? `${name} (${code})` : code;
}
