// The documents on which the approval of a company is based. They can be removed until staff decide on the company.
// Both panels show them, each by its own calls.
import { Anchor, Button, Select } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { succeeds } from "../../api/failure";
import type { BusinessDetail, BusinessDocument } from "../../api/models";
import { panel } from "../../api/panel";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { FileForm } from "../../components/forms/FileForm";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { authorText } from "../../format/author";
import { companiesStrings } from "../../strings/pt-BR.companies";
import styles from "./Companies.module.css";
import { imageAddress, useDocuments, useRemoveDocument, useUploadDocument } from "./documentCalls";

const words = companiesStrings.documents;
/** The width of a thumbnail in pixels. It is shown 56 px wide, so it is sharp on dense screens too. */
const THUMBNAIL_WIDTH = 160;

interface DocumentsProps {
  company: Pick<BusinessDetail, "id" | "type" | "approval">;
  onDone: (message: string) => void;
}

export default function Documents({ company, onDone }: DocumentsProps) {
  const read = useDocuments(company.id);
  const remove = useRemoveDocument(company.id);
  const [removing, setRemoving] = useState<BusinessDocument>();
  const { data } = read;
  // A denied company can still be approved.
  const awaitsApproval = company.approval === "pending" || company.approval === "denied";
  const close = () => {
    remove.reset();
    setRemoving(undefined);
  };
  return (
    <Panel title={words.title} hint={words.hint}>
      {read.error && !data && <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />}
      {data && awaitsApproval && data.missing.length > 0 && (
        <p className={shared.hint}>
          {words.missing(data.missing.map((kind) => words.kinds[kind as keyof typeof words.kinds]))}
        </p>
      )}
      {data && (
        <ul className={styles.items} aria-label={words.title}>
          {data.data.map((document) => (
            <li key={document.id}>
              <Thumbnail companyId={company.id} document={document} />
              <div className={styles.grow}>
                <Anchor href={document.url} download inherit underline="always">
                  {document.file_name}
                </Anchor>
                <span className={styles.small}>
                  {`${words.kinds[document.kind as keyof typeof words.kinds]} · ${words.size(document.bytes)}`}
                </span>
                <span className={styles.small}>
                  <Instant at={document.uploaded_at} /> · {authorText(document.uploaded_by)}
                </span>
              </div>
              {/* Sellers cannot remove files of staff. */}
              {data.removable && (panel === "admin" || document.uploaded_by.kind !== "staff") && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={words.removeOf(document.file_name)}
                  onClick={() => setRemoving(document)}
                >
                  {words.remove}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      <UploadForm company={company} onDone={onDone} />
      {removing && (
        <ConfirmModal
          title={words.removeTitle}
          effects={[removing.file_name]}
          submitLabel={words.remove}
          danger
          command={remove}
          run={() => remove.run(removing.id)}
          onDone={() => {
            onDone(words.removed);
            close();
          }}
          onClose={close}
        />
      )}
    </Panel>
  );
}

function Thumbnail({ companyId, document }: { companyId: string; document: BusinessDocument }) {
  const [broken, setBroken] = useState(false);
  if (document.media_type === "application/pdf" || broken) {
    return (
      <span className={styles.thumbnail}>
        <IconFileTypePdf size={32} stroke={1.5} aria-hidden />
      </span>
    );
  }
  return (
    <img
      className={styles.thumbnail}
      src={imageAddress(companyId, document.url, THUMBNAIL_WIDTH)}
      alt={words.imageOf(document.file_name)}
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
}

/** A chosen file stays chosen if the upload fails. */
function UploadForm({ company, onDone }: DocumentsProps) {
  const upload = useUploadDocument(company.id);
  const [kind, setKind] = useState<string>("identity");
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string>();
  const kinds = Object.entries(words.kinds).filter(([each]) => company.type === "PJ" || each !== "articles");
  const send = async () => {
    if (!file) return setError(words.fileRequired);
    if (file.size > FILE_BYTES_MAX) return setError(words.tooLarge);
    setError(undefined);
    const done = await succeeds(upload.run(kind, file));
    if (!done) return;
    setFile(null);
    onDone(words.uploaded);
  };
  return (
    <div className={styles.upload}>
      <FileForm
        label={words.upload}
        fileLabel={words.file}
        placeholder={words.choose}
        accept="application/pdf,image/jpeg,image/png"
        file={file}
        onFile={(chosen) => {
          setError(undefined);
          setFile(chosen);
        }}
        error={error}
        upload={upload}
        onSend={send}
        quiet
        sending={({ name, size }) => words.uploading(name, words.size(size))}
      >
        <Select
          label={words.kind}
          data={kinds.map(([value, label]) => ({ value, label }))}
          value={kind}
          onChange={(chosen) => setKind(chosen ?? "other")}
        />
      </FileForm>
    </div>
  );
}

/** The gateway's limit of a document (FILE_BYTES_MAX in gateway/platform/src/files.rs). */
const FILE_BYTES_MAX = 10 * 1024 * 1024;
