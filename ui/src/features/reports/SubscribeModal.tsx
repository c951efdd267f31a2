// The form that subscribes the user to the report on the screen: an e-mail every week or month.
import { SegmentedControl } from "@mantine/core";
import { useLocation } from "react-router";
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { ReportName } from "../../api/models";
import { reportCalls } from "../../api/reportCalls";
import { useSession } from "../../api/session";
import { FormModal } from "../../components/forms/FormModal";
import shared from "../../components/Shared.module.css";
import { reportEmailStrings } from "../../strings/pt-BR.reportEmails";
import { keptState, withoutPeriod } from "./savedViews";

const words = reportEmailStrings;
const RHYTHMS = ["week", "month"] as const;

interface SubscribeModalProps {
  report: ReportName;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function SubscribeModal({ report, onClose, onDone }: SubscribeModalProps) {
  const command = useCommand(reportCalls.subscribe, { refreshes: [reportCalls.emails] });
  const { user, business } = useSession();
  const { filters } = withoutPeriod(keptState(useLocation().search));
  const { group, ...kept } = filters;
  // An e-mailed report covers a week or a month. The gateway groups only short periods by hour.
  const body = { report, filters: group && group !== "hour" ? { group, ...kept } : kept };
  const company: { query?: { business_id: string } } = business
    ? { query: { business_id: business.id } }
    : {};
  const submit = async ({ every }: { every: (typeof RHYTHMS)[number] }) => {
    if (await succeeds(command.run({ body: { ...body, every }, ...company }))) onDone(words.subscribed);
  };
  return (
    <FormModal
      title={words.subscribeTitle}
      schema={z.object({ every: z.enum(RHYTHMS) })}
      initialValues={{ every: "week" as (typeof RHYTHMS)[number] }}
      command={command}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.subscribeSubmit}
    >
      {(form) => (
        <>
          <p className={shared.note}>{words.subscribeHint(user?.email ?? "")}</p>
          <SegmentedControl
            fullWidth
            aria-label={words.every}
            data={RHYTHMS.map((value) => ({ value, label: words.rhythms[value] }))}
            {...form.getInputProps("every")}
          />
        </>
      )}
    </FormModal>
  );
}
