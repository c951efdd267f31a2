// The platform's rules: each with its value in force, the scheduled one, and the audit log of their changes.
import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { screenTitle, useMayCall } from "../../api/access";
import { useApi, useCommand } from "../../api/hooks";
import type { PlatformSetting } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import { ServerMessage } from "../../components/ServerMessage";
import rows from "../../components/SettingRows.module.css";
import shared from "../../components/Shared.module.css";
import { rulesStrings as words } from "../../strings/pt-BR.rules";
import { RuleModal } from "./RuleModal";
import styles from "./Rules.module.css";
import { ruleText } from "./rules";

type Task = { edit: PlatformSetting } | { removeScheduled: PlatformSetting };

export default function RulesPage() {
  const { data, error, mutate } = useApi("/admin/settings/platform");
  const [task, setTask] = useState<Task>();
  const [done, setDone] = useState<string>();
  const close = () => setTask(undefined);
  const finish = (message: string) => {
    close();
    setDone(message);
  };
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/regras")} hint={words.hint} />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <Panel title={words.list} flush>
        {data ? (
          <ul className={shared.list} aria-label={words.list}>
            {data.data.map((setting) => (
              <Rule key={setting.key} setting={setting} onTask={setTask} />
            ))}
          </ul>
        ) : error ? (
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton height={420} radius={0} />
        )}
      </Panel>
      {(data || error) && <AuditLog />}
      {task && "edit" in task && <RuleModal setting={task.edit} onClose={close} onDone={finish} />}
      {task && "removeScheduled" in task && (
        <RemoveScheduledModal setting={task.removeScheduled} onClose={close} onDone={finish} />
      )}
    </>
  );
}

function Rule({ setting, onTask }: { setting: PlatformSetting; onTask: (task: Task) => void }) {
  const mayEdit = useMayCall("POST /admin/settings/platform");
  const { key, value, valid_from, set_by, scheduled } = setting;
  const name = words.names[key];
  const { hint } = words.rules[key];
  return (
    <li className={rows.row}>
      <div className={rows.text}>
        <h3 className={rows.name}>{name}</h3>
        <p className={shared.note}>{hint}</p>
      </div>
      <div className={rows.text}>
        <strong className={rows.value}>{ruleText(key, value)}</strong>
        <span className={shared.note}>
          {valid_from ? (
            <>
              {words.since} <Instant at={valid_from} /> {set_by && words.setBy(set_by)}
            </>
          ) : (
            words.byDefault
          )}
        </span>
        {scheduled && (
          <span className={styles.scheduled}>
            {words.scheduledTo(ruleText(key, scheduled.value))} <Instant at={scheduled.valid_from} />{" "}
            {scheduled.set_by && words.setBy(scheduled.set_by)}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        <ReasonedButton
          variant="default"
          aria-label={words.editOf(name)}
          disabledReason={mayEdit ? undefined : words.ownerOnly}
          onClick={() => onTask({ edit: setting })}
        >
          {words.edit}
        </ReasonedButton>
        {scheduled && mayEdit && (
          <Button
            variant="default"
            aria-label={words.removeScheduledOf(name)}
            onClick={() => onTask({ removeScheduled: setting })}
          >
            {words.removeScheduled}
          </Button>
        )}
      </div>
    </li>
  );
}

interface RemoveScheduledModalProps {
  setting: PlatformSetting;
  onClose: () => void;
  onDone: (message: string) => void;
}

function RemoveScheduledModal({ setting: { key }, onClose, onDone }: RemoveScheduledModalProps) {
  const remove = useCommand("DELETE /admin/settings/platform/{key}/scheduled", {
    refreshes: ["/admin/settings/platform", "/admin/settings/platform/history"],
  });
  return (
    <ConfirmModal
      title={words.removeScheduledTitle}
      effects={words.removeScheduledEffects}
      submitLabel={words.removeScheduled}
      danger
      command={remove}
      run={() => remove.run({ path: { key } })}
      onDone={() => onDone(words.removedScheduled(words.names[key]))}
      onClose={onClose}
    />
  );
}

function AuditLog() {
  const list = useHistory("/admin/settings/platform/history");
  return <History subject="rule" list={list} />;
}
