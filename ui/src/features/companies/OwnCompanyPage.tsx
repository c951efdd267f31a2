// The seller's company: its data, its addresses and its documents.
import { Button, Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMayCall } from "../../api/access";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import layout from "../../components/Columns.module.css";
import { FactList } from "../../components/FactList";
import { type Flash, useFlash } from "../../components/flash";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { ApprovalBadge } from "../../components/StatusBadge";
import { taxId } from "../../format/documents";
import { phone } from "../../format/phone";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { Addresses } from "./Addresses";
import { detailsOf, type OwnCompany } from "./ownCompany";

const OwnCompanyModal = lazy(() => import("./OwnCompanyModal"));
const Documents = lazy(() => import("./Documents"));

const words = companiesStrings.company;
const own = companiesStrings.own;

export default function OwnCompanyPage() {
  const { id } = useBusiness();
  const flash = useFlash();
  const read = useApi("/business/{businessId}", { path: { businessId: id } }, { keepPrevious: false });
  const company = detailsOf(read.data);
  return (
    <>
      <PageHeader
        title={own.title}
        hint={own.hint}
        badge={company && <ApprovalBadge approval={company.approval} />}
      />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      {company ? (
        <Company company={company} flash={flash} />
      ) : read.error ? (
        <Panel label={own.title}>
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        </Panel>
      ) : (
        <div role="status" aria-label={strings.loading}>
          <Skeleton height={320} radius={12} />
        </div>
      )}
    </>
  );
}

function Company({ company, flash }: { company: OwnCompany; flash: Flash }) {
  const [edited, setEdited] = useState<OwnCompany>();
  const close = () => setEdited(undefined);
  const seesDocuments = useMayCall("GET /business/{businessId}/documents");
  return (
    <div className={layout.column}>
      <Panel
        title={words.facts}
        action={
          <Button variant="default" size="sm" onClick={() => setEdited(company)}>
            {words.edit}
          </Button>
        }
      >
        <FactList
          variant="ruled"
          facts={[
            [words.name[company.type], company.name],
            [words.document[company.type], taxId(company.document)],
            [words.tradeName, company.trade_name ?? words.none],
            [words.descriptor, company.statement_descriptor ?? words.none],
            [words.email, company.email ?? words.none],
            [words.phone, company.phone ? phone(company.phone) : words.none],
            [words.receivingPlan, company.receiving_plan.description],
          ]}
        />
      </Panel>
      <Addresses company={company} onDone={flash.show} />
      {seesDocuments && (
        <Suspense fallback={<Skeleton height={240} radius={12} />}>
          <Documents company={company} onDone={flash.show} />
        </Suspense>
      )}
      {edited && (
        <Suspense>
          <OwnCompanyModal
            company={edited}
            onClose={close}
            onDone={() => {
              close();
              flash.show(words.saved);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
