// One hold for its seller: why, since when, until when, what to do, the documents to send, and its history.
import { Anchor, Select, Skeleton } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Link, useParams } from "react-router";
import { screenTitle } from "../../api/access";
import { succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import type { HoldDetail } from "../../api/models";
import { useBusiness } from "../../api/session";
import { FileForm } from "../../components/forms/FileForm";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { holdsStrings } from "../../strings/pt-BR.holds";
import { ReservePage } from "../reserves/ReservePage";
import { RESERVE_HOLD } from "../reserves/reserveCalls";
import { HoldFacts } from "./HoldFacts";
import { HoldFiles } from "./HoldFiles";
import { HoldHistory } from "./HoldHistory";
import styles from "./Holds.module.css";
import { HoldBadge } from "./holdBadges";

const words = holdsStrings.seller;
const NOT_FOUND = 404;
/** The gateway's limit of a document (FILE_BYTES_MAX in gateway/platform/src/files.rs). */
const FILE_BYTES_MAX = 10 * 1024 * 1024;

export default function HoldPage() {
  const { id = "" } = useParams();
  return id === RESERVE_HOLD ? <OwnReserve /> : <OwnHold id={id} />;
}

/** The reserve has a calendar in place of a history. Its page says the rules also before anything is held. */
function OwnReserve() {
  const business = useBusiness();
  return (
    <ReservePage
      business={business}
      title={holdsStrings.kinds.reserve}
      top={<BackLink to="/financeiro/valores-retidos" />}
    />
  );
}

function OwnHold({ id }: { id: string }) {
  const business = useBusiness();
  const { data, error, mutate } = useApi(
    "/balance/holds/{hold_id}",
    { path: { hold_id: id }, query: { business_id: business.id } },
    { keepPrevious: false },
  );
  const title = screenTitle("/financeiro/valores-retidos/:id");
  const top = <BackLink to="/financeiro/valores-retidos" />;
  if (data) return <Loaded top={top} hold={data} />;
  return (
    <>
      {top}
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

function Loaded({ top, hold }: { top: ReactNode; hold: HoldDetail }) {
  const [done, setDone] = useState<string>();
  return (
    <div className={styles.page}>
      <div>
        {top}
        <PageHeader
          title={holdsStrings.kinds[hold.kind]}
          badge={<HoldBadge state={hold.state} />}
          hint={money(hold.state === "open" ? hold.amount : hold.placed)}
        />
        <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      </div>
      <div className={styles.columns}>
        <div className={styles.stack}>
          <Panel title={words.whyTitle}>
            <div className={styles.stack}>
              {hold.reason && <p>{hold.reason}</p>}
              <p>{words.why[hold.kind]}</p>
              {hold.missing > 0 && <p>{words.taking(money(hold.missing))}</p>}
            </div>
          </Panel>
          <ToDo hold={hold} onSent={() => setDone(words.uploaded)} />
          <HoldHistory steps={hold.history} />
        </div>
        <Panel label={holdsStrings.amount}>
          <HoldFacts hold={hold} />
          {hold.state === "open" && hold.until && <p className={shared.note}>{words.review}</p>}
        </Panel>
      </div>
    </div>
  );
}

function ToDo({ hold, onSent }: { hold: HoldDetail; onSent: () => void }) {
  const isOpen = hold.state === "open";
  const asks = isOpen && hold.documents.length > 0;
  if (!isOpen && hold.files.length === 0) return null;
  return (
    <Panel title={isOpen ? words.what : holdsStrings.documents}>
      <div className={styles.stack}>
        {isOpen && <p>{asks ? words.send_ : <ToDoText kind={hold.kind} />}</p>}
        {hold.documents_missing.length > 0 && (
          <p>
            <strong>{words.sendMissing(hold.documents_missing.join(", "))}</strong>
          </p>
        )}
        <HoldFiles hold={hold} />
        {asks && <UploadForm hold={hold} onSent={onSent} />}
      </div>
    </Panel>
  );
}

/** What to do, and where. */
function ToDoText({ kind }: Pick<HoldDetail, "kind">) {
  const link =
    kind === "company" ? (
      <Anchor component={Link} to="/dados-da-empresa" inherit>
        {words.company}
      </Anchor>
    ) : kind === "analysis" || kind === "contract" ? (
      <Anchor component={Link} to="/fale-com-a-gente" inherit>
        {words.contact}
      </Anchor>
    ) : undefined;
  return (
    <>
      {words.toDo[kind]} {link}
    </>
  );
}

/** A chosen file stays chosen if the upload fails. */
function UploadForm({ hold, onSent }: { hold: HoldDetail; onSent: () => void }) {
  const business = useBusiness();
  const upload = useCommand("POST /balance/holds/{hold_id}/documents", {
    refreshes: ["/balance/holds", "/balance/holds/{hold_id}"],
  });
  const [chosen, setChosen] = useState<string>();
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string>();
  const first = hold.documents_missing[0] ?? hold.documents[0] ?? "";
  const asked = chosen && hold.documents.includes(chosen) ? chosen : first;
  const send = async () => {
    if (!file) return setError(words.fileRequired);
    if (file.size > FILE_BYTES_MAX) return setError(words.tooLarge);
    setError(undefined);
    const query = { business_id: business.id, asked, name: file.name };
    if (!(await succeeds(upload.run({ path: { hold_id: hold.id }, query, body: file })))) return;
    setFile(null);
    setChosen(undefined);
    onSent();
  };
  return (
    <>
      <p className={shared.note}>{words.uploadHint}</p>
      <FileForm
        label={words.upload}
        fileLabel={words.file_}
        placeholder={words.choose}
        accept="application/pdf,image/jpeg,image/png"
        file={file}
        onFile={(next) => {
          setError(undefined);
          setFile(next);
        }}
        error={error}
        upload={upload}
        onSend={send}
        sending={({ name }) => words.uploading(name)}
      >
        <Select
          label={words.which}
          data={[...hold.documents]}
          value={asked}
          onChange={(next) => setChosen(next ?? undefined)}
          allowDeselect={false}
        />
      </FileForm>
    </>
  );
}
