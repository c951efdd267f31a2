// The agreed rates of acquirers: those in force, those scheduled, and all that were ever set.
import { Button, Skeleton } from "@mantine/core";
import { IconPercentage, IconPlus } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { AcquirerRate } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import rows from "../../components/SettingRows.module.css";
import shared from "../../components/Shared.module.css";
import { TimelineEntry } from "../../components/TimelineEntry";
import { businessDate, businessToday } from "../../format/dates";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import styles from "./Reconciliation.module.css";
import { expectedText, groupRates, type RateGroup, rateTitle } from "./rates";

const RateModal = lazy(() => import("./RateModal"));

const words = settlementsStrings.rates;

/** The open form, and the rate with whose values it begins. */
type Edited = { template: AcquirerRate | undefined };

export default function AgreedRates({ onDone }: { onDone: (message: string) => void }) {
  const { data, error, mutate } = useApi("/admin/settlements/rates");
  const mayEdit = useMayCall("POST /admin/settlements/rates");
  const [edited, setEdited] = useState<Edited>();
  const add = mayEdit && (
    <Button
      leftSection={<IconPlus size={17} aria-hidden />}
      onClick={() => setEdited({ template: undefined })}
    >
      {words.add}
    </Button>
  );
  return (
    <div className={styles.sections}>
      <Panel title={words.title} hint={words.hint} action={add} flush>
        {data ? (
          <RateList
            groups={groupRates(data.data, businessToday(businessNow()))}
            mayEdit={mayEdit}
            onEdit={(template) => setEdited({ template })}
          />
        ) : error ? (
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton height={240} />
        )}
      </Panel>
      {data && data.data.length > 0 && <RateHistory rates={data.data} />}
      {edited && (
        <Suspense>
          <RateModal
            template={edited.template}
            onClose={() => setEdited(undefined)}
            onDone={(message) => {
              setEdited(undefined);
              onDone(message);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

interface RateListProps {
  groups: readonly RateGroup[];
  mayEdit: boolean;
  onEdit: (template: AcquirerRate) => void;
}

function RateList({ groups, mayEdit, onEdit }: RateListProps) {
  if (groups.length === 0) {
    return (
      <Notice icon={IconPercentage} title={words.emptyTitle} heading="h3">
        {words.empty}
      </Notice>
    );
  }
  return (
    <ul className={shared.list} aria-label={words.list}>
      {groups.map(({ key, title, latest, inForce, scheduled }) => (
        <li key={key} className={rows.row}>
          <h3 className={rows.name}>{title}</h3>
          <div className={rows.text}>
            <strong className={rows.value}>{inForce ? expectedText(inForce) : words.notYet}</strong>
            {inForce && <span className={shared.note}>{words.since(businessDate(inForce.valid_from))}</span>}
            {scheduled.map((rate) => (
              <strong key={rate.id} className={rows.warning}>
                {words.scheduled(expectedText(rate), businessDate(rate.valid_from))}
              </strong>
            ))}
          </div>
          <ReasonedButton
            variant="default"
            aria-label={words.changeOf(title)}
            disabledReason={mayEdit ? undefined : words.forAdmins}
            onClick={() => onEdit(latest)}
          >
            {words.change}
          </ReasonedButton>
        </li>
      ))}
    </ul>
  );
}

function RateHistory({ rates }: { rates: readonly AcquirerRate[] }) {
  const latestFirst = rates.toSorted((one, other) => other.set_at.localeCompare(one.set_at));
  return (
    <Panel title={words.history} hint={words.historyHint} flush>
      <ol className={styles.history} aria-label={words.historyList}>
        {latestFirst.map((rate) => (
          <TimelineEntry key={rate.id} icon={IconPercentage}>
            <div className={rows.text}>
              <span>
                <strong>{rateTitle(rate)}</strong>: {expectedText(rate)},{" "}
                {words.from(businessDate(rate.valid_from))}
              </span>
              <span className={shared.note}>
                <Instant at={rate.set_at} /> {words.setBy(rate.set_by ?? words.deletedUser)}
              </span>
            </div>
          </TimelineEntry>
        ))}
      </ol>
    </Panel>
  );
}
