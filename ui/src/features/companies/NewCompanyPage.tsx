// Creates a seller user and their company in four steps. The draft survives a reload, except the password.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import { asFailure, type Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { flashState } from "../../components/flash";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { AddressFields } from "./AddressFields";
import { BankAccountFields } from "./BankAccountModal";
import styles from "./Companies.module.css";
import { BusinessFields, SellerFields } from "./NewCompanyFields";
import {
  bodyOf,
  type Draft,
  dropDraft,
  failureOf,
  keepDraft,
  readDraft,
  STEPS,
  type Step,
  schemas,
  stepOf,
} from "./newCompany";
import { ReceivingPlanField, SalesPlanFields } from "./PlanFields";
import { StepForm } from "./StepForm";

const words = companiesStrings.wizard;
const HOME = "/empresas";
/** The first of the parts before a step: without a password, it must be typed again. */
const FIRST: Step = "seller";

export default function NewCompanyPage() {
  const [draft, setDraft] = useState(readDraft);
  const [step, setStep] = useState<Step>(FIRST);
  const { create, failure, forget } = useCreation(setStep);
  const options = useApi("/options", {});
  // Without the list of banks there is nothing to choose from: the account is added later.
  const noBanks = options.error !== undefined && !options.data;
  const place = STEPS.indexOf(step);
  const keep = (part: Draft[Step]) => {
    const next = { ...draft, [step]: part };
    setDraft(next);
    keepDraft(next);
    return next;
  };
  const go = (by: number) => {
    forget();
    setStep(STEPS[place + by] ?? step);
  };
  const last = place === STEPS.length - 1;
  const common = {
    error: failureOf(step, failure),
    onErrorClose: forget,
    loading: create.running,
    submitLabel: last ? words.create : words.next,
    onBack: place > 0 ? () => go(-1) : undefined,
  };
  return (
    <>
      <BackLink to={HOME}>{companiesStrings.company.back}</BackLink>
      <PageHeader title={words.title} hint={words.step(place + 1, STEPS.length)} />
      <Panel title={words.steps[step]} hint={words.hints[step]}>
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
                onClick={() => void create.run({ ...draft, bank_account: { ...NOTHING } })}
              >
                {words.withoutAccount}
              </Button>
            }
            submitHidden={noBanks}
          >
            {(form) =>
              noBanks ? (
                <p className={styles.note}>{words.noBanks}</p>
              ) : (
                <BankAccountFields form={form} banks={options.data?.banks ?? []} />
              )
            }
          </StepForm>
        )}
      </Panel>
    </>
  );
}

const NOTHING = {
  bank_code: "",
  type: "",
  routing_number: "",
  routing_digit: "",
  account_number: "",
  account_digit: "",
};

/** Sends the draft. A refusal opens the first step with an invalid field. */
function useCreation(open: (step: Step) => void) {
  const navigate = useNavigate();
  const command = useCommand("POST /admin/sellers/create", { refreshes: ["/admin/businesses"] });
  const [failure, setFailure] = useState<Failure>();
  const run = async (draft: Draft) => {
    try {
      const created = await command.run({ body: bodyOf(draft) });
      dropDraft();
      navigate(`${HOME}/${created.id}`, { state: flashState(words.created) });
    } catch (error) {
      const refused = asFailure(error);
      setFailure(refused);
      const step = stepOf(refused);
      if (step) open(step);
    }
  };
  return { create: { run, running: command.running }, failure, forget: () => setFailure(undefined) };
}
