// The download of the proof that a sale's events are in the ledger. The page 'Histórico verificado' checks such files.
import { Button } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useMayCall } from "../../api/access";
import { useDownload } from "../../api/download";
import { useBusiness } from "../../api/session";
import { ExportFailure } from "../../components/table/ExportButton";
import { salesStrings } from "../../strings/pt-BR.sales";

const words = salesStrings.sale.proof;

export function SaleProof({ saleId }: { saleId: string }) {
  const { id, name } = useBusiness();
  const mayDownload = useMayCall("GET /business/{businessId}/sales/{sale_id}/proof");
  const params = { path: { businessId: id, sale_id: saleId } };
  const download = useDownload(
    "/business/{businessId}/sales/{sale_id}/proof",
    params,
    words.file,
    name,
    "json",
  );
  if (!mayDownload) return null;
  return (
    <>
      <ExportFailure download={download} />
      <Button
        variant="default"
        size="xs"
        leftSection={<IconShieldCheck size={16} aria-hidden />}
        loading={download.running}
        onClick={download.run}
      >
        {words.download}
      </Button>
    </>
  );
}
