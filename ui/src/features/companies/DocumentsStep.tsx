// The last step of the wizard: the documents of the company that was just created. They can be sent later too.
import { Button, Skeleton } from "@mantine/core";
import { Link } from "react-router";
import { useApi } from "../../api/hooks";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import Documents from "./Documents";
import { useDocuments } from "./documentCalls";

const words = companiesStrings.wizard;

interface DocumentsStepProps {
  id: string;
  showMessage: (message: string) => void;
}

export default function DocumentsStep({ id, showMessage }: DocumentsStepProps) {
  const company = useApi("/admin/businesses/{id}", { path: { id } }, { keepPrevious: false });
  const documents = useDocuments(id);
  const { data, error } = company;
  if (error && !data) {
    return (
      <Panel label={words.steps.documents}>
        <FailureNotice failure={error} onRetry={() => void company.mutate()} />
      </Panel>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={strings.loading}>
        <Skeleton height={360} radius={12} />
      </div>
    );
  }
  const hasDocuments = (documents.data?.data.length ?? 0) > 0;
  return (
    <>
      <p className={shared.hint}>{words.documentsHint(data.name)}</p>
      <Documents company={data} onDone={showMessage} />
      <div className={shared.actions}>
        <Button component={Link} to={`/empresas/${id}`} variant={hasDocuments ? "filled" : "default"}>
          {hasDocuments ? words.finish : words.skip}
        </Button>
      </div>
    </>
  );
}
