// The audit log of a record, newest entry first: actor, action, time, network address, and each field before and
// after. The caller reads the log and passes it in.
import { Skeleton, VisuallyHidden } from "@mantine/core";
import {
  IconHistory,
  IconKey,
  IconLogin2,
  IconPencil,
  IconPlus,
  IconTrash,
  IconUserShield,
} from "@tabler/icons-react";
import type { ReadPath } from "../../api/hooks";
import { useTimeZone } from "../../api/session";
import { strings } from "../../strings/pt-BR";
import { historyStrings } from "../../strings/pt-BR.history";
import { Instant } from "../Instant";
import { FailureNotice, Notice } from "../Notice";
import { Panel } from "../Panel";
import shared from "../Shared.module.css";
import { TimelineEntry, type TimelineIcon } from "../TimelineEntry";
import { TablePager } from "../table/TablePager";
import { type ListOptions, type TableList, useList } from "../table/useList";
import styles from "./History.module.css";
import { actorText, type Change, changesOf, type Entry, predicate, type Subject } from "./historyText";

const words = historyStrings.history;

interface HistoryRow extends Entry {
  id: string | number;
  at: string;
  /** The network address; null for readers who may not see it. */
  address?: string | null;
  /** In the log of settings, the label of the tenant; empty for the default tenant. Unused in other logs. */
  subject_id?: string;
}

interface HistoryProps {
  subject: Subject;
  list: TableList<HistoryRow>;
}

const URL_KEYS = { page: "historyPage", perPage: "historyPerPage", order: "historyOrder" };

/**
 * The audit log at `path`, of the record that `params` names. Its keys in the address differ from those of the list on
 * the same screen.
 */
export function useHistory<P extends ReadPath>(
  path: P,
  params: Pick<ListOptions<P>, "path" | "query" | "keepPrevious"> = {},
) {
  return useList(path, { ...params, urlKeys: URL_KEYS });
}

export function History({ subject, list }: HistoryProps) {
  const { data: page, error } = list.read;
  return (
    <Panel title={words.title} hint={words.hint} flush>
      {page ? (
        page.data.length > 0 ? (
          <>
            <ol className={styles.entries} aria-label={words.list}>
              {page.data.map((entry) => (
                <EntryLine key={entry.id} entry={entry} subject={subject} />
              ))}
            </ol>
            {page.meta.total_pages > 1 && <TablePager meta={page.meta} list={list} />}
          </>
        ) : (
          <Notice icon={IconHistory} title={words.emptyTitle} heading="h3">
            {words.empty}
          </Notice>
        )
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void list.read.mutate()} />
      ) : (
        <HistorySkeleton />
      )}
    </Panel>
  );
}

const ICONS: Readonly<Record<string, TimelineIcon>> = {
  create: IconPlus,
  delete: IconTrash,
  "sign-in": IconLogin2,
  "change-password": IconKey,
  "reset-password": IconKey,
  "set-password": IconKey,
  "grant-access": IconUserShield,
  "change-access": IconUserShield,
  "remove-access": IconUserShield,
};

const tenantOf = ({ subject_id }: HistoryRow) => subject_id || words.defaultTenant;

function EntryLine({ entry, subject }: { entry: HistoryRow; subject: Subject }) {
  const zone = useTimeZone();
  const changes = changesOf(entry, zone);
  return (
    <TimelineEntry icon={ICONS[entry.action] ?? IconPencil}>
      <div className={styles.text}>
        <p className={styles.sentence}>
          <strong>{actorText(entry.actor)}</strong>
          {entry.actor.is_subject && <span className={shared.dim}> {words.self}</span>}{" "}
          {predicate(entry, subject, subject === "settings" ? tenantOf(entry) : "")}
        </p>
        <p className={styles.place}>
          <Instant at={entry.at} />
          {entry.address && <> · {words.from(entry.address)}</>}
        </p>
        {changes.length > 0 && (
          <dl className={styles.changes}>
            {changes.map((change) => (
              <ChangeLine key={change.field} change={change} />
            ))}
          </dl>
        )}
      </div>
    </TimelineEntry>
  );
}

function ChangeLine({ change: { label, before, after } }: { change: Change }) {
  const isChange = before !== undefined && after !== undefined;
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {before !== undefined && <del className={styles.before}>{before}</del>}
        {isChange && (
          <>
            <span aria-hidden> → </span>
            <VisuallyHidden> {words.becomes} </VisuallyHidden>
          </>
        )}
        {after !== undefined && <ins className={styles.after}>{after}</ins>}
      </dd>
    </div>
  );
}

const SKELETON_LINES = ["60%", "45%", "70%"];

function HistorySkeleton() {
  return (
    <div className={styles.skeleton} role="status" aria-label={strings.loading}>
      {SKELETON_LINES.map((width) => (
        <div key={width}>
          <Skeleton height={16} width={width} />
          <Skeleton height={13} width="30%" mt={8} />
        </div>
      ))}
    </div>
  );
}
