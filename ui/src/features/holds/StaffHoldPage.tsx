// One hold for staff: its facts, what they may do with it, the documents that the seller sent, and its history.
import { Anchor, Button, Skeleton } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { Link, useParams } from "react-router";
import { screenTitle } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { HoldDetail, HoldDocument } from "../../api/models";
import { useNamedBusiness } from "../../components/BusinessSelect";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import { ReservePage } from "../reserves/ReservePage";
import { RESERVE_HOLD } from "../reserves/reserveCalls";
import { HoldFacts } from "./HoldFacts";
import { HoldFiles } from "./HoldFiles";
import { HoldHistory } from "./HoldHistory";
import type { AnsweredFile } from "./HoldModals";
import styles from "./Holds.module.css";
import { HoldBadge } from "./holdBadges";

// Load with the first action.
const modals = () => import("./HoldModals");
const ChangeHoldModal = lazy(async () => ({ default: (await modals()).ChangeHoldModal }));
const ReleaseHoldModal = lazy(async () => ({ default: (await modals()).ReleaseHoldModal }));
const PayCourtModal = lazy(async () => ({ default: (await modals()).PayCourtModal }));
const AnswerModal = lazy(async () => ({ default: (await modals()).AnswerModal }));

const MODALS = { change: ChangeHoldModal, release: ReleaseHoldModal, payCourt: PayCourtModal };
type Action = keyof typeof MODALS;

const words = holdsStrings.staff;
const NOT_FOUND = 404;

export default function StaffHoldPage() {
  const { id = "" } = useParams();
  const [business] = useQueryState("business", parseAsString.withDefault(""));
  // An address without a company is of no hold, which the call says.
  return id === RESERVE_HOLD && business ? (
    <CompanyReserve business={business} />
  ) : (
    <CompanyHold id={id} business={business} />
  );
}

/** The reserve has a calendar in place of a history. Its page says the rules also before anything is held. */
function CompanyReserve({ business }: { business: string }) {
  const name = useNamedBusiness(business)?.name;
  return (
    <ReservePage
      business={{ id: business, name }}
      title={reservesStrings.staff.title(name)}
      top={<BackLink to="/saques/retencoes" />}
      actions={
        <div className={shared.actions}>
          <Button component={Link} to={`/empresas/${business}`} variant="default">
            {reservesStrings.staff.company}
          </Button>
          <Button component={Link} to={`/empresas/${business}/saldo`} variant="default">
            {words.openBalance}
          </Button>
        </div>
      }
    />
  );
}

function CompanyHold({ id, business }: { id: string; business: string }) {
  const { data, error, mutate } = useApi(
    "/admin/balance/holds/{business_id}/{hold_id}",
    { path: { business_id: business, hold_id: id } },
    { keepPrevious: false },
  );
  const title = screenTitle("/saques/retencoes/:id");
  if (data) return <Loaded hold={data} />;
  return (
    <>
      <BackLink to="/saques/retencoes" />
      {error ? (
        <Panel label={title}>
          {error.status === NOT_FOUND ? (
            <Notice icon={IconLock} title={holdsStrings.missingTitle} heading="h1">
              {holdsStrings.missing}
            </Notice>
          ) : (
            <FailureNotice failure={error} onRetry={() => void mutate()} />
          )}
        </Panel>
      ) : (
        <>
          <PageHeader title={title} />
          <Skeleton height={420} radius={12} />
        </>
      )}
    </>
  );
}

/** Why an action is disabled; undefined if it is not. The ledger has the same rules. */
function disabledReason(action: Action, hold: HoldDetail): string | undefined {
  if (hold.state === "ended") return words.ended;
  switch (action) {
    case "change":
      return hold.kind === "company" || hold.kind === "reserve" ? words.notPlaced : undefined;
    case "release":
      return hold.kind === "reserve" ? words.selfReleased : undefined;
    case "payCourt":
      if (hold.kind !== "judicial") return words.notJudicial;
      return hold.amount === 0 ? words.nothingHeld : undefined;
  }
}

function Loaded({ hold }: { hold: HoldDetail }) {
  const [action, setAction] = useState<Action>();
  const [answered, setAnswered] = useState<AnsweredFile>();
  const [done, setDone] = useState<string>();
  const finish = (message: string) => {
    setAction(undefined);
    setAnswered(undefined);
    setDone(message);
  };
  const Modal = action && MODALS[action];
  return (
    <div className={styles.page}>
      <div>
        <BackLink to="/saques/retencoes" />
        <PageHeader
          title={`${holdsStrings.kinds[hold.kind]}: ${hold.business_name}`}
          badge={<HoldBadge state={hold.state} />}
          hint={money(hold.state === "open" ? hold.amount : hold.placed)}
          actions={<Actions hold={hold} onChoose={setAction} />}
        />
        <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      </div>
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Panel title={holdsStrings.reason}>
            <p>{hold.reason}</p>
          </Panel>
          <Panel title={words.asked}>
            <div className={styles.stack}>
              {hold.documents.length + hold.files.length === 0 && (
                <p className={shared.note}>{words.nothingAsked}</p>
              )}
              <HoldFiles hold={hold} actions={(file) => <FileActions file={file} onAnswer={setAnswered} />} />
            </div>
          </Panel>
          <HoldHistory steps={hold.history} />
        </div>
        <Panel label={holdsStrings.amount}>
          <HoldFacts hold={hold} />
          <p className={styles.openBalance}>
            <Anchor component={Link} to={`/empresas/${hold.business_id}/saldo`} inherit>
              {words.openBalance}
            </Anchor>
          </p>
        </Panel>
      </div>
      <Suspense>
        {Modal && <Modal hold={hold} onClose={() => setAction(undefined)} onDone={finish} />}
        {answered && <AnswerModal {...answered} onClose={() => setAnswered(undefined)} onDone={finish} />}
      </Suspense>
    </div>
  );
}

const ACTIONS = ["change", "release", "payCourt"] as const;

function Actions({ hold, onChoose }: { hold: HoldDetail; onChoose: (action: Action) => void }) {
  // A deposit is only an action of a court's order, so other holds do not show it.
  const shown = ACTIONS.filter((action) => action !== "payCourt" || hold.kind === "judicial");
  return (
    <div className={shared.actions}>
      {shown.map((action) => (
        <ReasonedButton
          key={action}
          variant={action === "release" ? "filled" : "default"}
          disabledReason={disabledReason(action, hold)}
          onClick={() => onChoose(action)}
        >
          {words[action]}
        </ReasonedButton>
      ))}
    </div>
  );
}

interface FileActionsProps {
  file: HoldDocument;
  onAnswer: (answered: AnsweredFile) => void;
}

function FileActions({ file, onAnswer }: FileActionsProps) {
  if (file.state !== "sent") {
    return file.answered_by && <span className={shared.dim}>{`${words.answered} ${file.answered_by}`}</span>;
  }
  return (
    <div className={shared.actions}>
      <Button
        variant="default"
        size="xs"
        aria-label={words.refuseOf(file.file_name)}
        onClick={() => onAnswer({ file, accepted: false })}
      >
        {words.refuse}
      </Button>
      <Button
        size="xs"
        variant="default"
        aria-label={words.acceptOf(file.file_name)}
        onClick={() => onAnswer({ file, accepted: true })}
      >
        {words.accept}
      </Button>
    </div>
  );
}
