// Saves every row that matches the filters, not only the current page.
import { IconDownload } from "@tabler/icons-react";
import type { Download } from "../../api/hooks";
import { strings } from "../../strings/pt-BR";
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
