// Saves every row that the filters let through, not only the page on the screen.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { Download } from "../../api/hooks";
import { strings } from "../../strings/pt-BR";

export function ExportButton({ download }: { download: Download }) {
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<IconDownload size={16} aria-hidden />}
      onClick={download.run}
      loading={download.running}
    >
      {strings.list.export}
    </Button>
  );
}
