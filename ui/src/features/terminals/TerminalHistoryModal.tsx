// One terminal for staff: its facts, the companies that had it, how it was billed, and its audit log.
import { Skeleton } from "@mantine/core";
import { IconDeviceMobileOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useApi } from "../../api/hooks";
import type { TerminalDetail } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { taxId } from "../../format/documents";
import { strings } from "../../strings/pt-BR";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import styles from "./Terminals.module.css";
import { acquisitionText, billingText } from "./terminalText";

const words = terminalStrings.history;
const titles = terminalStrings.columns;
const NOT_FOUND = 404;

export default function TerminalHistoryModal({ id, onClose }: { id: string; onClose: () => void }) {
  const read = useApi(
    "/admin/terminals/{terminal_id}",
    { path: { terminal_id: id } },
    { keepPrevious: false, mayNotExist: true },
  );
  const terminal = read.data;
  return (
    <DetailModal
      onClose={onClose}
      title={terminal ? words.title(terminal.serial_number) : terminalStrings.machine.title}
      centered
      size="lg"
    >
      {terminal ? (
        <Detail terminal={terminal} />
      ) : read.error ? (
        read.error.status === NOT_FOUND ? (
          <Notice icon={IconDeviceMobileOff} title={words.missingTitle} heading="h3">
            {words.missing}
          </Notice>
        ) : (
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        )
      ) : (
        <div role="status" aria-label={strings.loading}>
          <Skeleton height={160} radius={8} />
          <Skeleton height={120} radius={8} mt="md" />
        </div>
      )}
    </DetailModal>
  );
}

function Detail({ terminal }: { terminal: TerminalDetail }) {
  const { business, owners, billings } = terminal;
  return (
    <div className={styles.detail}>
      <FactList
        variant="boxed"
        label={words.facts}
        facts={[
          [titles.name, terminal.name],
          [titles.business, business ? business.name : terminalStrings.status.in_stock],
          [titles.document, business && taxId(business.document)],
          [titles.billing, billingText(terminal)],
          [titles.acquisition, acquisitionText(terminal)],
          [titles.createdAt, <Instant key="created" at={terminal.created_at} />],
        ]}
      />
      <Periods title={words.owners} hint={words.ownersHint} empty={words.noOwners}>
        {owners.map(({ business: owner, since, until }) => (
          <Period
            key={since}
            text={owner?.name ?? terminalStrings.status.in_stock}
            since={since}
            until={until}
          />
        ))}
      </Periods>
      <Periods title={words.billings} empty={words.noBillings}>
        {billings.map((billing) => (
          <Period
            key={billing.since}
            text={billingText(billing)}
            since={billing.since}
            until={billing.until}
          />
        ))}
      </Periods>
      <Changes id={terminal.id} />
    </div>
  );
}

function Changes({ id }: { id: string }) {
  const list = useHistory("/admin/terminals/{terminal_id}/history", { path: { terminal_id: id } });
  return <History subject="terminal" list={list} />;
}

interface PeriodsProps {
  title: string;
  hint?: string;
  empty: string;
  children: ReactNode[];
}

function Periods({ title, hint, empty, children }: PeriodsProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>{title}</h3>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children.length === 0 ? (
        <p className={styles.hint}>{empty}</p>
      ) : (
        <ol className={styles.periods}>{children}</ol>
      )}
    </section>
  );
}

function Period({ text, since, until }: { text: string; since: string; until: string | null }) {
  return (
    <li>
      <strong>{text}</strong>
      <span className={styles.hint}>
        {words.since} <Instant at={since} />
        {until && (
          <>
            {" "}
            {words.until} <Instant at={until} />
          </>
        )}
      </span>
    </li>
  );
}
