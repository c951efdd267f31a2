// Saves every row that matches the filters, not only the current page.
import { IconDownload } from "@tabler/icons-react";
import { messageWithFields } from "../../api/failure";
import type { Download } from "../../api/hooks";
import { strings } from "../../strings/pt-BR";
import { ServerMessage } from "../ServerMessage";
import { ToolButton } from "./ToolButton";

export function ExportButton({ download }: { download: Download }) {
  return (
    <ToolButton
      label={strings.list.export}
      icon={IconDownload}
      onClick={download.run}
      loading={download.running}
    />
  );
}

interface ExportFailureProps {
  download: Download;
  className?: string | undefined;
}

/** The message that the last export failed, if it did. */
export function ExportFailure({ download: { failure, reset }, className }: ExportFailureProps) {
  if (!failure) return null;
  return (
    <div className={className}>
      <ServerMessage message={messageWithFields(failure)} code={failure.code} onClose={reset} />
    </div>
  );
}
