// The links whose card form is closed for a while after many declines, which are a sign of card testing. Some roles may
// reopen it.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useMayCall } from "../../api/access";
import { useApi, useCommand } from "../../api/hooks";
import type { CardClosure } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { buyersStrings } from "../../strings/pt-BR.buyers";
import styles from "./Buyers.module.css";

const words = buyersStrings.closures;

export default function CardClosures() {
  const { data } = useApi("/admin/card-closures");
  const mayReopen = useMayCall("POST /admin/card-closures/{id}/reopen");
  const [closure, setClosure] = useState<CardClosure>();
  const [done, setDone] = useState<string>();
  const closures = data?.data ?? [];
  return (
    <>
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      {closures.length > 0 && (
        <Panel title={words.title} hint={words.hint} flush>
          <ul className={styles.rows} aria-label={words.title}>
            {closures.map((each) => (
              <li key={each.id} className={styles.row}>
                <div className={styles.text}>
                  <strong>{each.link.description}</strong>
                  <span className={shared.dim}>{each.business.name}</span>
                </div>
                <div className={styles.text}>
                  <span>{words.declines(each.declines)}</span>
                  <span className={shared.dim}>
                    {words.until} <Instant at={each.closed_until} />
                  </span>
                </div>
                {mayReopen && (
                  <div className={styles.actions}>
                    <Button
                      variant="default"
                      aria-label={words.reopenOf(each.link.description)}
                      onClick={() => setClosure(each)}
                    >
                      {words.reopen}
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {closure && (
        <ReopenModal
          closure={closure}
          onClose={() => setClosure(undefined)}
          onDone={() => {
            setClosure(undefined);
            setDone(words.reopened(closure.link.description));
          }}
        />
      )}
    </>
  );
}

interface ReopenModalProps {
  closure: CardClosure;
  onClose: () => void;
  onDone: () => void;
}

function ReopenModal({ closure, onClose, onDone }: ReopenModalProps) {
  const reopen = useCommand("POST /admin/card-closures/{id}/reopen", {
    refreshes: ["/admin/card-closures"],
  });
  return (
    <ConfirmModal
      title={words.reopenTitle}
      effects={words.reopenEffects}
      submitLabel={words.reopen}
      command={reopen}
      run={() => reopen.run({ path: { id: closure.id } })}
      onDone={onDone}
      onClose={onClose}
    />
  );
}
