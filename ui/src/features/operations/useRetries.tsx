// Work that waits for its next try is tried now: one row, or all whose last try failed. Asks first, because money moves.
import { Button } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { useMayCall } from "../../api/access";
import { useCommand } from "../../api/hooks";
import type { OpenRow } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { ServerMessage } from "../../components/ServerMessage";
import { RowActions } from "../../components/table/RowActions";
import { operationsStrings } from "../../strings/pt-BR.operations";
import styles from "./Operations.module.css";

const words = operationsStrings.retry;

/** After this time the rows that became due have been tried, if the other system answers. */
const TRIED_AFTER_MS = 3_000;

interface Retries<Row> {
  /** The button that tries all. */
  all: ReactNode;
  rowActions: ((row: Row) => ReactNode) | undefined;
  /** The question, and the message about its result. */
  dialog: ReactNode;
}

export function useRetries<Row extends OpenRow>(
  work: "payouts" | "refunds" | "charges" | "emails",
  /** What one row is called in a question. */
  named: (row: Row) => string,
  read: { mutate: () => Promise<unknown> },
): Retries<Row> {
  const refreshes = [`/admin/operations/${work}`] as const;
  const one = useCommand("POST /admin/operations/{work}/{id}/retry", { refreshes });
  const all = useCommand("POST /admin/operations/{work}/retry", { refreshes });
  const mayRetry = useMayCall("POST /admin/operations/{work}/retry");
  const [asked, setAsked] = useState<Row | "all">();
  const [done, setDone] = useState<string>();
  const { mutate } = read;
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => void mutate(), TRIED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [done, mutate]);
  if (!mayRetry) return { all: undefined, rowActions: undefined, dialog: undefined };

  const of = words[work];
  const close = () => setAsked(undefined);
  const run = async () => {
    const answer =
      asked === "all" || !asked
        ? of.allDone((await all.run({ path: { work }, body: {} })).due)
        : (await one.run({ path: { work, id: asked.id } })) && of.oneDone;
    setDone(answer);
  };
  return {
    all: (
      <Button
        variant="default"
        className={styles.retryAll}
        leftSection={<IconPlayerPlay size={17} aria-hidden />}
        onClick={() => {
          all.reset();
          setDone(undefined);
          setAsked("all");
        }}
      >
        {of.all}
      </Button>
    ),
    rowActions: (row) => (
      <RowActions
        row={named(row)}
        actions={[
          {
            label: words.one,
            icon: IconPlayerPlay,
            disabledReason: row.next_try_at ? undefined : words.parked,
            run: () => {
              one.reset();
              setDone(undefined);
              setAsked(row);
            },
          },
        ]}
      />
    ),
    dialog: (
      <>
        <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
        {asked && (
          <ConfirmModal
            title={asked === "all" ? of.allTitle : of.oneTitle}
            effects={asked === "all" ? [of.allEffect, of.safety] : [of.oneEffect(named(asked)), of.safety]}
            submitLabel={asked === "all" ? of.all : words.one}
            command={asked === "all" ? all : one}
            run={run}
            onDone={close}
            onClose={close}
          />
        )}
      </>
    ),
  };
}
