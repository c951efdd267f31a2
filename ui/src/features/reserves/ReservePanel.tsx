// The reserve on a company's page for staff: the rules in force and scheduled, all versions, and new rules.
import { Anchor, Button, Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { useApi } from "../../api/hooks";
import type { ReserveVersions } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import styles from "./Reserves.module.css";
import { RulesSummary, RulesVersions, today } from "./RulesSummary";
import { staffReservePath } from "./reserveCalls";
import { holds, inForce } from "./reserveRules";

const ReserveRulesModal = lazy(() => import("./ReserveRulesModal"));

const words = reservesStrings.staff;

type Opened = "set" | "exempt" | "versions";

interface ReservePanelProps {
  company: { id: string; name: string };
  onDone: (message: string) => void;
}

export default function ReservePanel({ company, onDone }: ReservePanelProps) {
  const { data, error, mutate } = useApi(
    "/admin/businesses/{id}/reserve",
    { path: { id: company.id } },
    { keepPrevious: false },
  );
  const [opened, setOpened] = useState<Opened>();
  const close = () => setOpened(undefined);
  const current = data && inForce(data, today())?.version;
  const isHeld = current !== undefined && holds(current);
  return (
    <Panel
      title={reservesStrings.title}
      hint={words.hint}
      action={
        data && (
          <Button variant="default" size="sm" onClick={() => setOpened("set")}>
            {isHeld ? words.change : words.set}
          </Button>
        )
      }
    >
      {data ? (
        <div className={styles.stack}>
          <RulesSummary rules={data} />
          <div className={shared.actions}>
            {isHeld && (
              <Button variant="default" size="xs" onClick={() => setOpened("exempt")}>
                {words.doExempt}
              </Button>
            )}
            {data.own.length + data.of_plan.length > 0 && (
              <Button variant="default" size="xs" onClick={() => setOpened("versions")}>
                {words.versions}
              </Button>
            )}
          </div>
          <Anchor component={Link} to={staffReservePath(company.id)} size="sm">
            {words.see}
          </Anchor>
        </div>
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={90} />
      )}
      {data && opened === "versions" && <VersionsModal rules={data} onClose={close} />}
      {data && (opened === "set" || opened === "exempt") && (
        <Suspense>
          <ReserveRulesModal
            owner={{ kind: "company", ...company }}
            before={current}
            exempts={opened === "exempt"}
            onClose={close}
            onDone={(message) => {
              close();
              onDone(message);
            }}
          />
        </Suspense>
      )}
    </Panel>
  );
}

function VersionsModal({ rules, onClose }: { rules: ReserveVersions; onClose: () => void }) {
  return (
    <DetailModal onClose={onClose} title={words.versionsTitle} size="lg">
      <div className={styles.stack}>
        <p className={shared.hint}>{words.versionsHint}</p>
        <RulesVersions title={words.versionsOwn} versions={rules.own} />
        <RulesVersions title={words.versionsPlan} versions={rules.of_plan} />
      </div>
    </DetailModal>
  );
}
