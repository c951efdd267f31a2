// Uploads a settlement file to import. The file stays chosen if the upload fails. A file whose date is far from today is
// sent again with the user's confirmation.
import { Select } from "@mantine/core";
import { useState } from "react";
import { Failure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { FileForm } from "../../components/forms/FileForm";
import { Panel } from "../../components/Panel";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { sizeText } from "./size";

const words = settlementsStrings.imports;
/** The gateway's limit of a settlement file (FILE_BYTES_MAX in gateway/platform/src/reconciliation/uploads.rs). */
const FILE_BYTES_MAX = 2 * 1024 ** 3;
/** A longer name is cut, because the gateway refuses it. The name is only shown. */
const NAME_CHARS_MAX = 120;

const CONFLICT = 409;
const asksForDate = (error: unknown) =>
  error instanceof Failure && error.status === CONFLICT && error.type.endsWith("/settlement-file-date");

const providers = Object.entries(paymentStrings.payment.providers).map(([value, label]) => ({
  value,
  label,
}));

export function UploadForm({ onDone }: { onDone: (message: string) => void }) {
  const upload = useCommand("POST /admin/settlements/imports", {
    refreshes: ["/admin/settlements/imports"],
  });
  const [provider, setProvider] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [sent, setSent] = useState(0);
  // Whether sending the file again confirms its date.
  const [confirmsDate, setConfirmsDate] = useState(false);
  const [errors, setErrors] = useState<{ provider?: string; file?: string }>({});
  const send = async () => {
    const invalid = {
      ...(!provider && { provider: words.providerRequired }),
      ...(!file && { file: words.fileRequired }),
      ...(file && file.size > FILE_BYTES_MAX && { file: words.tooLarge }),
    };
    setErrors(invalid);
    if (!provider || !file || invalid.file) return;
    setSent(0);
    const query = {
      provider,
      name: file.name.slice(0, NAME_CHARS_MAX),
      ...(confirmsDate && { confirm_date: 1 }),
    };
    setConfirmsDate(false);
    const answer = await upload.run({ query, body: file, onSent: setSent }).catch((error: unknown) => {
      setConfirmsDate(asksForDate(error));
    });
    if (!answer) return;
    setFile(null);
    onDone(answer.repeated ? words.repeated : words.uploaded);
  };
  return (
    <Panel title={words.upload} hint={words.uploadHint}>
      <FileForm
        label={words.upload}
        fileLabel={words.file}
        placeholder={words.chooseFile}
        file={file}
        onFile={(chosen) => {
          setErrors({});
          setConfirmsDate(false);
          setFile(chosen);
        }}
        error={errors.file}
        upload={{
          ...upload,
          reset: () => {
            setConfirmsDate(false);
            upload.reset();
          },
        }}
        confirmLabel={confirmsDate ? words.confirmDate : undefined}
        onSend={send}
        sending={({ name }) => words.uploading(name)}
        sent={file ? { bytes: sent, text: words.sent(sizeText(sent), sizeText(file.size)) } : undefined}
      >
        <Select
          label={settlementsStrings.provider}
          placeholder={words.chooseProvider}
          data={providers}
          value={provider}
          error={errors.provider}
          onChange={setProvider}
        />
      </FileForm>
    </Panel>
  );
}
