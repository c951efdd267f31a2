// A form that sends a file. `children` are its further fields.
import { Button, FileInput, Progress } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../../api/failure";
import { strings } from "../../strings/pt-BR";
import { ServerMessage } from "../ServerMessage";
import styles from "./FileForm.module.css";

interface FileFormProps {
  /** The accessible name of the form, and the label of its button. */
  label: string;
  fileLabel: string;
  placeholder: string;
  accept?: string;
  file: File | null;
  onFile: (file: File | null) => void;
  error: string | undefined;
  upload: { running: boolean; failure: Failure | undefined; reset: () => void };
  onSend: () => Promise<void>;
  /** Whether the button is not the main one of its page. */
  quiet?: boolean;
  /** The label of the button while it asks for a confirmation. The server's message is then a warning. */
  confirmLabel?: string | undefined;
  /** The text while the file is sent: "Enviando contrato.pdf (1,2 MB)". */
  sending: (file: File) => string;
  /** How much of the file has been sent, as a number and in words. Without it, the form has no progress bar. */
  sent?: { bytes: number; text: string } | undefined;
  children: ReactNode;
}

export function FileForm({ label, file, upload, error, onFile, onSend, sent, ...rest }: FileFormProps) {
  const refused = upload.failure?.fields.file;
  return (
    <form
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void onSend();
      }}
    >
      {upload.failure && !refused && (
        <ServerMessage
          message={upload.failure.message}
          variant={rest.confirmLabel ? "warning" : "error"}
          onClose={upload.reset}
        />
      )}
      <div className={styles.fields}>
        {rest.children}
        <FileInput
          label={rest.fileLabel}
          placeholder={rest.placeholder}
          {...(rest.accept && { accept: rest.accept })}
          clearable
          clearButtonProps={{ "aria-label": strings.form.clearFile }}
          value={file}
          error={error ?? refused}
          onChange={(chosen) => {
            upload.reset();
            onFile(chosen);
          }}
        />
      </div>
      <div className={styles.actions}>
        <Button type="submit" variant={rest.quiet ? "default" : "filled"} loading={upload.running}>
          {rest.confirmLabel ?? label}
        </Button>
        <div className={styles.progress}>
          <p role="status">{upload.running && file && rest.sending(file)}</p>
          {upload.running && file && sent && <Sent file={file} sent={sent} />}
        </div>
      </div>
    </form>
  );
}

function Sent({ file, sent: { bytes, text } }: { file: File; sent: { bytes: number; text: string } }) {
  return (
    <>
      <Progress
        value={(100 * bytes) / Math.max(1, file.size)}
        aria-label={text}
        aria-valuetext={text}
        transitionDuration={0}
      />
      <span aria-hidden>{text}</span>
    </>
  );
}
