// The buyer of a sale by link, on the sale's page. A sale without an order has none, and shows nothing.
import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import type { Failure } from "../../api/failure";
import { useApi } from "../../api/hooks";
import type { SaleBuyer } from "../../api/models";
import { FactList } from "../../components/FactList";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { taxId } from "../../format/documents";
import { phone } from "../../format/phone";
import { buyersStrings as words } from "../../strings/pt-BR.buyers";

const NOT_FOUND = 404;
const OPTIONS = { keepPrevious: false, mayNotExist: true };

interface SellerSaleBuyerProps {
  saleId: string;
  businessId: string;
}

export default function SellerSaleBuyer({ saleId, businessId }: SellerSaleBuyerProps) {
  const place = { path: { id: saleId }, query: { business_id: businessId } };
  const read = useApi("/transactions/{id}/buyer", place, OPTIONS);
  return <BuyerPanel read={read} />;
}

interface BuyerPanelProps {
  read: { data: SaleBuyer | undefined; error: Failure | undefined; mutate: () => Promise<unknown> };
  action?: ReactNode;
}

export function BuyerPanel({ read: { data, error, mutate }, action }: BuyerPanelProps) {
  if (error?.status === NOT_FOUND) return null;
  return (
    <Panel title={words.title} action={data?.buyer && action}>
      {data ? (
        <BuyerFacts sale={data} />
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={190} />
      )}
    </Panel>
  );
}

function BuyerFacts({ sale: { order, buyer, erased_at } }: { sale: SaleBuyer }) {
  return (
    <>
      <FactList
        variant="ruled"
        facts={[
          [words.name, buyer?.name],
          [words.document, buyer && taxId(buyer.document)],
          [words.email, buyer?.email],
          [words.phone, buyer && phone(buyer.phone)],
          [words.order, order],
        ]}
      />
      {erased_at && (
        <p>
          {words.erasedAt} <Instant at={erased_at} />.
        </p>
      )}
    </>
  );
}
