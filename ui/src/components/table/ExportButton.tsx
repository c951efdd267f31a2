// Saves every row that matches the filters, not only the current page.
import { IconDownload } from "@tabler/icons-react";
import type { Download } from "../../api/download";
import { fieldTextsOrMessage } from "../../api/failure";
import { strings } from "../../strings/pt-BR";
import { ServerMessage } from "../ServerMessage";
import { ToolButton } from "./ToolButton";

interface ExportButtonProps {
  download: Download;
  /** The name of the button, if it saves another file than a spreadsheet. */
  label?: string;
}

export function ExportButton({ download, label = strings.list.export }: ExportButtonProps) {
  return <ToolButton label={label} icon={IconDownload} onClick={download.run} loading={download.running} />;
}

interface ExportFailureProps {
  download: Download;
  className?: string | undefined;
}

/** The message of an export that failed; nothing otherwise. */
export function ExportFailure({ download: { failure, reset }, className }: ExportFailureProps) {
  if (!failure) return null;
  return (
    <div className={className}>
      <ServerMessage message={fieldTextsOrMessage(failure)} code={failure.code} onClose={reset} />
    </div>
  );
}
