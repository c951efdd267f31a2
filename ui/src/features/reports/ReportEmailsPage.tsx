// The reports that the signed-in user gets by e-mail: the list, stopping one, and the download that an e-mail links to.
import { Button, Skeleton } from "@mantine/core";
import { IconDownload, IconMail, IconMailOff } from "@tabler/icons-react";
import { parseAsString, useQueryState } from "nuqs";
import { useState } from "react";
import { screenTitle } from "../../api/access";
import { useDownload } from "../../api/download";
import { type ReadParams, useApi, useCommand } from "../../api/hooks";
import type { ReportEmail } from "../../api/models";
import { reportCalls } from "../../api/reportCalls";
import { useSession } from "../../api/session";
import { useNamedBusiness } from "../../components/BusinessSelect";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { IconItem } from "../../components/IconItem";
import { Instant } from "../../components/Instant";
import { FailureNotice, Notice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { saleChoices } from "../../components/saleFilters";
import { useTerminalName } from "../../components/TerminalSelect";
import { ExportButton, ExportFailure } from "../../components/table/ExportButton";
import { businessDate } from "../../format/dates";
import { spanName } from "../../format/parts";
import { reportEmailStrings } from "../../strings/pt-BR.reportEmails";
import { reportStrings } from "../../strings/pt-BR.reports";
import { savedViewStrings } from "../../strings/pt-BR.savedViews";
import { statusStrings } from "../../strings/pt-BR.status";
import styles from "./ReportEmails.module.css";

const words = reportEmailStrings;
const ROUTE = "/relatorios/por-email";

/** A seller's reports belong to a company: the one in the e-mail's link, else the one that the seller acts for. */
function useCompanyQuery(): { query?: { business_id: string } } {
  const { business } = useSession();
  const [named] = useQueryState("empresa", parseAsString);
  return business ? { query: { business_id: named ?? business.id } } : {};
}

export default function ReportEmailsPage() {
  const company = useCompanyQuery();
  const [file] = useQueryState("arquivo", parseAsString);
  const [stopping, setStopping] = useState<ReportEmail>();
  const { data, error, mutate } = useApi(reportCalls.emails, company);
  const download = useDownload(reportCalls.emails, company, words.exportName);
  const emails = data?.data;
  return (
    <>
      <PageHeader title={screenTitle(ROUTE)} hint={words.hint} />
      {file && <FilePanel id={file} />}
      <Panel title={words.list} action={emails && emails.length > 0 && <ExportButton download={download} />}>
        <ExportFailure download={download} />
        {emails ? (
          emails.length === 0 ? (
            <Notice icon={IconMailOff} title={words.none}>
              {words.noneText}
            </Notice>
          ) : (
            <ul className={shared.list} aria-label={words.list}>
              {emails.map((email) => (
                <Item key={email.id} email={email} onStop={() => setStopping(email)} />
              ))}
            </ul>
          )
        ) : error ? (
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        ) : (
          <Skeleton height={160} />
        )}
      </Panel>
      {stopping && <StopModal email={stopping} onClose={() => setStopping(undefined)} />}
    </>
  );
}

/** The download that an e-mail links to. The gateway refuses it after a week, and to other users. */
function FilePanel({ id }: { id: string }) {
  const company = useCompanyQuery();
  const params = { path: { id }, ...company } as ReadParams<typeof reportCalls.file>;
  const download = useDownload(reportCalls.file, params, words.fileName);
  return (
    <Panel
      title={words.file}
      hint={words.fileHint}
      action={
        <Button
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={download.running}
          onClick={download.run}
        >
          {words.download}
        </Button>
      }
    >
      <ExportFailure download={download} />
    </Panel>
  );
}

function Item({ email, onStop }: { email: ReportEmail; onStop: () => void }) {
  const { title, stopped, next_start: start, next_end: end, last_sent: last } = email;
  const filters = useFiltersText(email);
  return (
    <IconItem
      icon={stopped ? IconMailOff : IconMail}
      title={title}
      badge={words.rhythms[email.every]}
      note={stopped && <p className={styles.stopped}>{words.stopped[stopped]}</p>}
      details={[
        [words.next, start && end && spanName({ start, end })],
        [words.lastSent, last ? words.upTo(businessDate(last)) : words.neverSent],
        [words.filters, filters || words.noFilters],
        [words.subscribedAt, <Instant key="at" at={email.created_at} />],
      ]}
      action={
        <Button
          variant="default"
          size="xs"
          aria-label={stopped ? words.removeOf(title) : words.stopOf(title)}
          onClick={onStop}
        >
          {stopped ? words.remove : words.stop}
        </Button>
      }
    />
  );
}

/** The texts of the filters with fixed choices, as their fields on the report show them. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...saleChoices,
  group: reportStrings.filters.groups,
  status: statusStrings.transferStatus,
};

/** The filters of an e-mail. A company and a machine are named; without a name, their id is shown. */
function useFiltersText({ filters }: ReportEmail): string {
  const own = useCompanyQuery().query?.business_id;
  const { business_id = null, terminal } = filters;
  const company = useNamedBusiness(own ? null : business_id);
  const machine = useTerminalName(own ?? business_id ?? undefined, terminal);
  const named: Readonly<Record<string, string | undefined>> = {
    business_id: company?.name,
    terminal: machine,
  };
  const labels = savedViewStrings.filters;
  return Object.entries(filters)
    .map(([filter, value]) => {
      const text = named[filter] ?? CHOICES[filter]?.[value] ?? value;
      return `${labels[filter as keyof typeof labels] ?? filter}: ${text}`;
    })
    .join(", ");
}

function StopModal({ email, onClose }: { email: ReportEmail; onClose: () => void }) {
  const command = useCommand(reportCalls.stopEmail, { refreshes: [reportCalls.emails] });
  const company = useCompanyQuery();
  return (
    <ConfirmModal
      title={email.stopped ? words.removeTitle(email.title) : words.stopTitle(email.title)}
      effects={[email.stopped ? words.removeEffect : words.stopEffect]}
      submitLabel={email.stopped ? words.remove : words.stopSubmit}
      danger
      command={command}
      run={() => command.run({ path: { id: email.id }, ...company })}
      onDone={onClose}
      onClose={onClose}
    />
  );
}
