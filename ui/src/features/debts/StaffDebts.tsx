// The debts of a company as staff see them, with the write-off.
import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import { debtsStrings as words } from "../../strings/pt-BR.debts";
import { DebtPanel } from "./DebtPanel";

const WriteOffModal = lazy(() => import("./WriteOffModal"));

interface StaffDebtsProps {
  businessId: string;
  onDone: (message: string) => void;
}

export default function StaffDebts({ businessId, onDone }: StaffDebtsProps) {
  const debts = useApi("/admin/balance/debts/{business_id}", { path: { business_id: businessId } });
  const mayWriteOff = useMayCall("POST /admin/balance/debts/{business_id}/write-off");
  const [open, setOpen] = useState(false);
  if (!debts.data) return null;
  return (
    <>
      <DebtPanel
        debts={debts.data}
        hint={words.staffHint}
        action={
          mayWriteOff && (
            <Button variant="default" onClick={() => setOpen(true)}>
              {words.writeOff.open}
            </Button>
          )
        }
      />
      <Suspense>
        {open && (
          <WriteOffModal
            businessId={businessId}
            debt={debts.data.debt}
            onClose={() => setOpen(false)}
            onDone={(message) => {
              setOpen(false);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </>
  );
}
