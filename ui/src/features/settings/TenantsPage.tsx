// The tenants of the platform: the name, colors and contacts of each host, and the audit log of their changes.
import { Button, Skeleton } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { Tenant } from "../../api/models";
import { History, useHistory } from "../../components/history/History";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { settingsStrings } from "../../strings/pt-BR.settings";
import { RemoveTenantModal } from "./RemoveTenantModal";
import { TenantCard } from "./TenantCard";
import { TenantModal } from "./TenantModal";
import styles from "./Tenants.module.css";

const words = settingsStrings.tenants;

type Task = { edit: Tenant } | { remove: Tenant } | "add";

export default function TenantsPage() {
  const { data, error, mutate } = useApi("/admin/settings");
  const [task, setTask] = useState<Task>();
  const [done, setDone] = useState<string>();
  const close = () => setTask(undefined);
  const finish = (message: string) => {
    close();
    setDone(message);
  };
  const tenants = data?.tenants;
  return (
    <>
      <PageHeader
        title={screenTitle("/ajustes/configuracoes")}
        hint={words.hint}
        actions={
          <Button
            leftSection={<IconPlus size={17} aria-hidden />}
            disabled={!tenants}
            onClick={() => setTask("add")}
          >
            {words.add}
          </Button>
        }
      />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      {tenants ? (
        <ul className={styles.tenants} aria-label={words.list}>
          {tenants.map((tenant) => (
            <TenantCard
              key={tenant.label}
              tenant={tenant}
              onEdit={() => setTask({ edit: tenant })}
              onRemove={() => setTask({ remove: tenant })}
            />
          ))}
        </ul>
      ) : error ? (
        <Panel label={words.list}>
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        </Panel>
      ) : (
        <Skeleton height={340} radius={12} />
      )}
      {/* Shown after the cards, so that their arrival does not push it down. */}
      {(tenants || error) && <AuditLog />}
      {task === "add" && <TenantModal others={tenants ?? []} onClose={close} onDone={finish} />}
      {typeof task === "object" && "edit" in task && (
        <TenantModal tenant={task.edit} others={[]} onClose={close} onDone={finish} />
      )}
      {typeof task === "object" && "remove" in task && (
        <RemoveTenantModal tenant={task.remove} onClose={close} onDone={finish} />
      )}
    </>
  );
}

function AuditLog() {
  const list = useHistory("/admin/settings/history");
  return <History subject="settings" list={list} />;
}
