// Creates a company step by step, for a new or an existing seller user, and then takes the company's documents. The
// draft survives a reload, except the password. Once the company exists, the page's address names it.
import { Button, Skeleton } from "@mantine/core";
import { parseAsString, useQueryState } from "nuqs";
import { lazy, Suspense, useState } from "react";
import { asFailure, type Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useFlash } from "../../components/flash";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { AddressFields } from "./AddressFields";
import { BankAccountFields } from "./BankAccountModal";
import { NO_ACCOUNT } from "./companyForm";
import { BusinessFields, SellerFields } from "./NewCompanyFields";
import {
  bodyOf,
  type Draft,
  dropDraft,
  failureOf,
  keepDraft,
  readDraft,
  readStep,
  resume,
  STEPS,
  type Step,
  schemas,
  stepOf,
} from "./newCompany";
import { ReceivingPlanField, SalesPlanFields } from "./PlanFields";
import { StepForm } from "./StepForm";

const DocumentsStep = lazy(() => import("./DocumentsStep"));

const words = companiesStrings.wizard;
const HOME = "/empresas";
/** The documents follow the steps of the draft. */
const STEP_COUNT = STEPS.length + 1;

export default function NewCompanyPage() {
  // Replaces the history entry: going back must not offer to create the company again.
  const [company, setCompany] = useQueryState("company", parseAsString.withOptions({ history: "replace" }));
  const [kept] = useState(() => resume(readDraft(), readStep()));
  const [stepIndex, setStepIndex] = useState(kept.stepIndex);
  const flash = useFlash();
  const onCreated = (id: string) => {
    flash.show(words.created);
    void setCompany(id);
  };
  return (
    <>
      <BackLink to={HOME} />
      <PageHeader title={words.title} hint={words.step(company ? STEP_COUNT : stepIndex + 1, STEP_COUNT)} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      {company ? (
        <Suspense fallback={<Skeleton height={360} radius={12} />}>
          <DocumentsStep id={company} showMessage={flash.show} />
        </Suspense>
      ) : (
        <DraftSteps
          stepIndex={stepIndex}
          returnTo={kept.returnTo}
          openStep={setStepIndex}
          onCreated={onCreated}
        />
      )}
    </>
  );
}

interface DraftStepsProps {
  stepIndex: number;
  /** The step that was open when the page was left; 0 on a first visit. */
  returnTo: number;
  openStep: (stepIndex: number) => void;
  onCreated: (id: string) => void;
}

function DraftSteps({ stepIndex, returnTo, openStep, onCreated }: DraftStepsProps) {
  const [draft, setDraft] = useState(readDraft);
  // Said once, until the user closes it or goes on.
  const [resumed, setResumed] = useState(returnTo > 0);
  const step = STEPS[stepIndex] ?? STEPS[0];
  const { create, failure, clearFailure } = useCreation(
    (invalid) => openStep(STEPS.indexOf(invalid)),
    onCreated,
  );
  const options = useApi("/options", {});
  // Without the list of banks there is nothing to choose from: the account is added later.
  const noBanks = options.error !== undefined && !options.data;
  const keep = (part: Draft[Step]) => {
    const next = { ...draft, [step]: part };
    setDraft(next);
    // Until the password is typed again, the draft belongs to the step that was open.
    keepDraft(next, resumed ? (STEPS[returnTo] ?? step) : step);
    return next;
  };
  const go = (by: number) => {
    clearFailure();
    // After a reload, the first step asks for the password alone, and then the open step returns.
    openStep(resumed && by > 0 ? Math.max(stepIndex + by, returnTo) : stepIndex + by);
    setResumed(false);
  };
  const last = stepIndex === STEPS.length - 1;
  const common = {
    error: failureOf(step, failure),
    onErrorClose: clearFailure,
    loading: create.running,
    submitLabel: last ? words.create : words.next,
    onBack: stepIndex > 0 ? () => go(-1) : undefined,
  };
  return (
    <Panel title={words.steps[step]} hint={words.hints[step]}>
      <ServerMessage
        message={resumed ? resumedText(stepIndex, returnTo) : undefined}
        variant="info"
        onClose={() => setResumed(false)}
      />
      {step === "seller" && (
        <StepForm
          {...common}
          schema={schemas.seller}
          initialValues={draft.seller}
          onChange={keep}
          onSubmit={() => go(1)}
        >
          {(form) => <SellerFields form={form} />}
        </StepForm>
      )}
      {step === "business" && (
        <StepForm
          {...common}
          schema={schemas.business}
          initialValues={draft.business}
          onChange={keep}
          onSubmit={() => go(1)}
        >
          {(form) => <BusinessFields form={form} />}
        </StepForm>
      )}
      {step === "address" && (
        <StepForm
          {...common}
          schema={schemas.address}
          initialValues={draft.address}
          onChange={keep}
          onSubmit={() => go(1)}
        >
          {(form) => <AddressFields form={form} />}
        </StepForm>
      )}
      {step === "plans" && (
        <StepForm
          {...common}
          schema={schemas.plans}
          initialValues={draft.plans}
          onChange={keep}
          onSubmit={() => go(1)}
        >
          {(form) => (
            <>
              <ReceivingPlanField form={form} clearable />
              <SalesPlanFields form={form} />
            </>
          )}
        </StepForm>
      )}
      {last && (
        <StepForm
          {...common}
          schema={schemas.bank_account}
          initialValues={draft.bank_account}
          onChange={keep}
          onSubmit={() => void create.run(draft)}
          extra={
            <Button
              variant="default"
              disabled={create.running}
              onClick={() => void create.run({ ...draft, bank_account: NO_ACCOUNT })}
            >
              {words.withoutAccount}
            </Button>
          }
          submitHidden={noBanks}
        >
          {(form) =>
            noBanks ? (
              <p className={shared.hint}>{words.noBanks}</p>
            ) : (
              <BankAccountFields form={form} banks={options.data?.banks ?? []} />
            )
          }
        </StepForm>
      )}
    </Panel>
  );
}

function resumedText(stepIndex: number, returnTo: number): string {
  const open = STEPS[returnTo];
  return stepIndex < returnTo && open ? words.resumedAt(words.steps[open]) : words.resumed;
}

/** Sends the draft. A refusal opens the first step with an invalid field. */
function useCreation(openStep: (step: Step) => void, onCreated: (id: string) => void) {
  const command = useCommand("POST /admin/sellers/create", { refreshes: ["/admin/businesses"] });
  const [failure, setFailure] = useState<Failure>();
  const run = async (draft: Draft) => {
    try {
      const created = await command.run({ body: bodyOf(draft) });
      dropDraft();
      onCreated(created.id);
    } catch (error) {
      const refused = asFailure(error);
      setFailure(refused);
      const step = stepOf(refused);
      if (step) openStep(step);
    }
  };
  return { create: { run, running: command.running }, failure, clearFailure: () => setFailure(undefined) };
}
