// Saves the current view of a report under a name, and renames, replaces or deletes saved ones.
import { Checkbox, TextInput } from "@mantine/core";
import { IconPencil, IconReplace, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "react-router";
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { ReportView } from "../../api/models";
import { reportCalls } from "../../api/reportCalls";
import { useSession } from "../../api/session";
import { DetailModal } from "../../components/DetailModal";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { FormModal } from "../../components/forms/FormModal";
import shared from "../../components/Shared.module.css";
import { RowActions } from "../../components/table/RowActions";
import { rememberedColumns } from "../../components/table/useRememberedColumns";
import { spanName } from "../../format/parts";
import { savedViewStrings } from "../../strings/pt-BR.savedViews";
import styles from "./Reports.module.css";
import type { ViewedReport } from "./SavedViewsMenu";
import { type KeptState, keptState, withoutPeriod } from "./savedViews";

const words = savedViewStrings;
const NAME_CHARS_MAX = 60;

const name = z
  .string()
  .check(z.trim(), z.minLength(1, words.nameMissing), z.maxLength(NAME_CHARS_MAX, words.nameLong));

interface DialogProps {
  viewed: ViewedReport;
  onClose: () => void;
}

/** The filters, columns, rows and order on the screen, as a view keeps them. */
function useShown(viewed: ViewedReport) {
  const state = keptState(useLocation().search);
  const remembered = rememberedColumns(viewed.table);
  const isShown = (id: string) => remembered[id] ?? !viewed.hiddenAtFirst.includes(id);
  return { state, columns: viewed.columns.filter(isShown) };
}

const contentOf = ({ filters, rows, sort, order }: KeptState, columns: string[]) => ({
  filters,
  rows,
  sort,
  order,
  columns,
});

/** A seller's views belong to the company that they act for. */
function useCompanyQuery(): { query?: { business_id: string } } {
  const { business } = useSession();
  return business ? { query: { business_id: business.id } } : {};
}

export function SaveView({ viewed, onClose }: DialogProps) {
  const command = useCommand(reportCalls.saveView, { refreshes: [reportCalls.views] });
  const company = useCompanyQuery();
  const { state, columns } = useShown(viewed);
  const { start, end } = state.filters;
  const submit = async (values: { name: string; period: boolean }) => {
    const content = contentOf(values.period ? state : withoutPeriod(state), columns);
    const body = { report: viewed.report, name: values.name.trim(), ...content };
    if (await succeeds(command.run({ body, ...company }))) onClose();
  };
  return (
    <FormModal
      title={words.saveTitle}
      schema={z.object({ name, period: z.boolean() })}
      initialValues={{ name: "", period: false }}
      command={command}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.saveSubmit}
    >
      {(form) => (
        <>
          <p className={shared.note}>{words.saveHint}</p>
          <TextInput
            label={words.name}
            placeholder={words.namePlaceholder}
            maxLength={NAME_CHARS_MAX}
            data-autofocus
            {...form.getInputProps("name")}
          />
          {start && end && (
            <Checkbox
              label={words.keepPeriod(spanName({ start, end }))}
              description={words.keepPeriodHint}
              {...form.getInputProps("period", { type: "checkbox" })}
            />
          )}
        </>
      )}
    </FormModal>
  );
}

type Step = { kind: "rename" | "replace" | "delete"; view: ReportView };

export function ManageViews({ viewed, views, onClose }: DialogProps & { views: readonly ReportView[] }) {
  const [step, setStep] = useState<Step>();
  const back = () => setStep(undefined);
  if (step?.kind === "rename") return <RenameView view={step.view} onClose={back} />;
  if (step?.kind === "replace") return <ReplaceView viewed={viewed} view={step.view} onClose={back} />;
  if (step?.kind === "delete") return <DeleteView view={step.view} onClose={back} />;
  return (
    <DetailModal onClose={onClose} title={words.manageTitle} centered>
      {views.length === 0 && <p className={styles.noViews}>{words.none}</p>}
      <ul className={styles.managed}>
        {views.map((view) => (
          <li key={view.id}>
            <span>{view.name}</span>
            <RowActions
              row={view.name}
              actions={[
                {
                  label: words.rename,
                  icon: IconPencil,
                  run: () => setStep({ kind: "rename", view }),
                },
                { label: words.replace, icon: IconReplace, run: () => setStep({ kind: "replace", view }) },
                { label: words.delete, icon: IconTrash, run: () => setStep({ kind: "delete", view }) },
              ]}
            />
          </li>
        ))}
      </ul>
    </DetailModal>
  );
}

interface StepProps {
  view: ReportView;
  onClose: () => void;
}

function RenameView({ view, onClose }: StepProps) {
  const command = useCommand(reportCalls.changeView, { refreshes: [reportCalls.views] });
  const company = useCompanyQuery();
  const submit = async (values: { name: string }) => {
    const input = { path: { id: view.id }, body: { name: values.name.trim() }, ...company };
    if (await succeeds(command.run(input))) onClose();
  };
  return (
    <FormModal
      title={words.rename}
      schema={z.object({ name })}
      initialValues={{ name: view.name }}
      command={command}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.saveSubmit}
    >
      {(form) => (
        <TextInput
          label={words.name}
          maxLength={NAME_CHARS_MAX}
          data-autofocus
          {...form.getInputProps("name")}
        />
      )}
    </FormModal>
  );
}

function ReplaceView({ viewed, view, onClose }: StepProps & { viewed: ViewedReport }) {
  const command = useCommand(reportCalls.changeView, { refreshes: [reportCalls.views] });
  const company = useCompanyQuery();
  const { state, columns } = useShown(viewed);
  // A view that was saved without a period stays without one.
  const kept = view.filters.start ? state : withoutPeriod(state);
  return (
    <ConfirmModal
      title={words.replaceTitle(view.name)}
      effects={[words.replaceEffect]}
      submitLabel={words.replaceSubmit}
      command={command}
      run={() => command.run({ path: { id: view.id }, body: contentOf(kept, columns), ...company })}
      onDone={onClose}
      onClose={onClose}
    />
  );
}

function DeleteView({ view, onClose }: StepProps) {
  const command = useCommand(reportCalls.deleteView, { refreshes: [reportCalls.views] });
  const company = useCompanyQuery();
  return (
    <ConfirmModal
      title={words.deleteTitle(view.name)}
      effects={[words.deleteEffect]}
      submitLabel={words.delete}
      danger
      command={command}
      run={() => command.run({ path: { id: view.id }, ...company })}
      onDone={onClose}
      onClose={onClose}
    />
  );
}
