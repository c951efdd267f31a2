// The configured acquirers, the route of each payment type (the acquirers in the order in which they are asked to
// charge it), and the audit log of the routes.
import { Button, Skeleton } from "@mantine/core";
import { IconBuildingBank } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { AcquirerRoute, AcquirerSettings } from "../../api/models";
import { BusinessSelect, type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { History, useHistory } from "../../components/history/History";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import rows from "../../components/SettingRows.module.css";
import shared from "../../components/Shared.module.css";
import { Badge } from "../../components/StatusBadge";
import { paymentTypeName } from "../../format/payment";
import { acquirersStrings as words } from "../../strings/pt-BR.acquirers";
import styles from "./Acquirers.module.css";
import RouteModal from "./RouteModal";
import { RouteRow } from "./RouteRow";

export default function AcquirersPage() {
  const [businessId, setBusinessId] = useQueryState(
    "business",
    parseAsString.withOptions({ history: "push" }),
  );
  const company = useNamedBusiness(businessId);
  const query = businessId ? { business_id: businessId } : {};
  const { data, error, mutate } = useApi("/admin/settings/acquirers", { query });
  const [edited, setEdited] = useState<AcquirerRoute>();
  const [done, setDone] = useState<string>();
  const close = () => setEdited(undefined);
  const finish = (message: string) => {
    close();
    setDone(message);
  };
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/adquirentes")} hint={words.hint} />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      {data ? (
        <>
          <ConfiguredAcquirers settings={data} />
          <Panel title={words.routes} hint={words.routesHint} flush>
            <CompanyFilter
              settings={data}
              chosen={company}
              businessId={businessId}
              onChoose={setBusinessId}
            />
            <ul className={shared.list} aria-label={words.routes}>
              {data.routes.map((route) => (
                <RouteRow
                  key={route.payment_type}
                  route={route}
                  ofCompany={!!businessId}
                  onEdit={setEdited}
                />
              ))}
            </ul>
          </Panel>
        </>
      ) : error ? (
        <Panel label={words.routes}>
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        </Panel>
      ) : (
        <Skeleton height={560} radius={12} />
      )}
      {(data || error) && <AuditLog />}
      {data && edited && (!businessId || company) && (
        <RouteModal settings={data} route={edited} company={company} onClose={close} onDone={finish} />
      )}
    </>
  );
}

const TONES = { live: "good", test: "wait", sandbox: "wait" } as const;

function ConfiguredAcquirers({ settings: { acquirers } }: { settings: AcquirerSettings }) {
  if (acquirers.length === 0)
    return (
      <Panel title={words.configured}>
        <Notice icon={IconBuildingBank} title={words.noneConfigured} heading="h3">
          {words.noneConfiguredHint}
        </Notice>
      </Panel>
    );
  return (
    <Panel title={words.configured} hint={words.configuredHint} flush>
      <ul className={shared.list} aria-label={words.configured}>
        {acquirers.map(({ provider, label, mode, host, payment_types }) => (
          <li key={provider} className={rows.row}>
            <h3 className={rows.name}>{label}</h3>
            <div className={rows.text}>
              <span>
                {payment_types.length > 0
                  ? words.takes(payment_types.map(paymentTypeName).join(", "))
                  : words.noTypes}
              </span>
              <span className={shared.note}>{host ?? words.simulator}</span>
            </div>
            <div>
              <Badge tone={TONES[mode]}>{words.modes[mode]}</Badge>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface CompanyFilterProps {
  settings: AcquirerSettings;
  chosen: NamedBusiness | undefined;
  businessId: string | null;
  onChoose: (businessId: string | null) => void;
}

/** The choice of the company whose routes are shown. Its buttons are the companies that have routes of their own. */
function CompanyFilter({ settings: { companies }, chosen, businessId, onChoose }: CompanyFilterProps) {
  return (
    <div className={styles.scope}>
      <BusinessSelect
        className={styles.company}
        label={words.company}
        placeholder={words.allCompanies}
        size="sm"
        value={businessId}
        onChange={onChoose}
        chosen={chosen}
      />
      {companies.length > 0 && (
        <fieldset className={styles.chips} aria-label={words.companies}>
          <span className={shared.note}>{words.companies}:</span>
          {companies.map(({ id, name }) => (
            <Button
              key={id}
              variant="default"
              size="compact-sm"
              aria-pressed={id === businessId}
              onClick={() => onChoose(id)}
            >
              {name}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

function AuditLog() {
  const list = useHistory("/admin/settings/acquirers/history");
  return <History subject="acquirers" list={list} />;
}
