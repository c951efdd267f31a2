// For staff: the buyer of a sale by link. Some roles may erase the buyer's data.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import { ServerMessage } from "../../components/ServerMessage";
import { buyersStrings as words } from "../../strings/pt-BR.buyers";
import { EraseBuyerModal } from "./EraseBuyerModal";
import { BuyerPanel } from "./SaleBuyer";

export default function StaffSaleBuyer({ saleId }: { saleId: string }) {
  const place = { path: { id: saleId } };
  const read = useApi("/admin/transactions/{id}/buyer", place, { keepPrevious: false, mayNotExist: true });
  const mayErase = useMayCall("POST /admin/buyers/erase");
  const [erasing, setErasing] = useState(false);
  const [done, setDone] = useState<string>();
  const erase = (
    <Button variant="default" onClick={() => setErasing(true)}>
      {words.erase}
    </Button>
  );
  return (
    <>
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <BuyerPanel read={read} action={mayErase && erase} />
      {erasing && read.data && (
        <EraseBuyerModal
          search={{ sale_id: saleId }}
          title={words.eraseOneTitle(read.data.order)}
          onClose={() => setErasing(false)}
          onDone={(message) => {
            setErasing(false);
            setDone(message);
          }}
        />
      )}
    </>
  );
}
