// Imports a file. It stays chosen if the upload fails.
import { Button, FileInput, Select } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "../../api/hooks";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { choices } from "./filters";
import styles from "./Reconciliation.module.css";
import { sizeText } from "./size";

const words = settlementsStrings.imports;
const FILE_BYTES_MAX = 2 * 1024 ** 3;

const providers = Object.entries(choices.provider).map(([value, label]) => ({ value, label }));

export function UploadForm({ onDone }: { onDone: (message: string) => void }) {
  const upload = useCommand("POST /admin/settlements/imports", {
    refreshes: ["/admin/settlements/imports"],
  });
  const [provider, setProvider] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [errors, setErrors] = useState<{ provider?: string; file?: string }>({});
  const send = async () => {
    const missing = {
      ...(!provider && { provider: words.providerRequired }),
      ...(!file && { file: words.fileRequired }),
      ...(file && file.size > FILE_BYTES_MAX && { file: words.tooLarge }),
    };
    setErrors(missing);
    if (!provider || !file || missing.file) return;
    const query = { provider, name: file.name.slice(0, 120) };
    const answer = await upload.run({ query, body: file }).catch(() => undefined);
    if (!answer) return;
    setFile(null);
    onDone(answer.repeated ? words.repeated : words.uploaded);
  };
  const refused = upload.failure?.fields.file;
  return (
    <Panel title={words.upload} hint={words.uploadHint}>
      <form
        className={styles.upload}
        aria-label={words.upload}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {upload.failure && !refused && (
          <ServerMessage message={upload.failure.message} onClose={upload.reset} />
        )}
        <div className={styles.fields}>
          <Select
            label={settlementsStrings.provider}
            placeholder={words.chooseProvider}
            data={providers}
            value={provider}
            error={errors.provider}
            onChange={setProvider}
          />
          <FileInput
            label={words.file}
            placeholder={words.chooseFile}
            clearable
            value={file}
            error={errors.file ?? refused}
            onChange={(chosen) => {
              upload.reset();
              setErrors({});
              setFile(chosen);
            }}
          />
        </div>
        <div className={styles.actions}>
          <Button type="submit" loading={upload.running}>
            {words.upload}
          </Button>
          <p className={styles.progress} role="status">
            {upload.running && file && words.uploading(file.name, sizeText(file.size))}
          </p>
        </div>
      </form>
    </Panel>
  );
}
