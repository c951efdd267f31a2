// The work that waits for staff: a figure for each list that the role may read, with a link to the page of the list.
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMayCall, useMayOpen } from "../../api/access";
import type { AdminOverview } from "../../api/models";
import { Figure, Figures } from "../../components/Figure";
import { age } from "../../format/age";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { staffHomeStrings } from "../../strings/pt-BR.staffHome";
import styles from "./StaffHomePage.module.css";
import { hasCard } from "./staffCards";

const words = staffHomeStrings.staffHome;

interface WorkProps {
  overview: AdminOverview | undefined;
}

const OPERATIONS = "/ajustes/operacao";
const HOLDS = "/saques/retencoes";
/** The filter of both lists of withdrawals: status 0 is pending. */
const PENDING = "?status=0";

export function WaitingWork({ overview }: WorkProps) {
  const cards = useCards(overview).filter(({ shown }) => shown);
  if (cards.length === 0) return null;
  return (
    <Figures label={words.waiting}>
      {cards.map(({ name, value, alarms, note, link, route, search }) => {
        const line = (text: ReactNode) => (
          <NoteWithLink route={route} search={search} label={link}>
            {text}
          </NoteWithLink>
        );
        return (
          <Figure
            key={name}
            label={words[name]}
            value={value}
            note={note && line(note)}
            sample={line(words.noneLate)}
            alarms={alarms}
          />
        );
      })}
    </Figures>
  );
}

interface Card {
  name:
    | "withdrawals"
    | "adjustments"
    | "holds"
    | "documents"
    | "exceptions"
    | "differences"
    | "payouts"
    | "refunds"
    | "charges"
    | "emails"
    | "receivables"
    | "negative"
    | "followers";
  shown: boolean;
  value: string | undefined;
  /** Whether the value is red, because staff must act. */
  alarms: boolean;
  note: string | undefined;
  link: string;
  route: string;
  search?: string;
}

function useCards(overview: AdminOverview | undefined): Card[] {
  const mayOpenQueue = useMayOpen("/saques");
  const may = {
    withdrawals: useMayCall("GET /admin/transactions/financial/all"),
    adjustments: useMayCall("GET /admin/balance/adjustments"),
    holds: useMayCall("GET /admin/balance/holds"),
    documents: useMayCall("GET /admin/balance/hold-documents"),
    exceptions: useMayCall("GET /admin/exceptions"),
    differences: useMayCall("GET /admin/settlements/differences"),
    payouts: useMayCall("GET /admin/operations/payouts"),
    refunds: useMayCall("GET /admin/operations/refunds"),
    charges: useMayCall("GET /admin/operations/charges"),
    emails: useMayCall("GET /admin/operations/emails"),
    receivables: useMayCall("GET /admin/operations/receivables"),
    negative: useMayCall("GET /admin/operations/negative-balances"),
    followers: useMayCall("GET /admin/operations/followers"),
  };
  const {
    withdrawals_waiting: withdrawals,
    adjustments_waiting: adjustments,
    holds_due: holds,
    hold_documents_waiting: documents,
    exceptions_waiting: exceptions,
    differences_open: differences,
    receivables,
    negative_balances: negative,
    followers,
  } = overview ?? {};
  return [
    {
      name: "withdrawals",
      shown: hasCard(overview, withdrawals, may.withdrawals),
      value: withdrawals ? wholeNumber(withdrawals.count) : undefined,
      alarms: false,
      note: withdrawals ? waitingNote(withdrawals) : undefined,
      link: words.openWithdrawals,
      // Roles that may not open the queue see the withdrawals in the report of payments.
      route: mayOpenQueue ? "/saques" : "/relatorios/pagamentos",
      search: PENDING,
    },
    {
      name: "adjustments",
      shown: hasCard(overview, adjustments, may.adjustments),
      value: adjustments ? wholeNumber(adjustments.count) : undefined,
      // Somebody wants to move more than one person may.
      alarms: (adjustments?.count ?? 0) > 0,
      note: adjustments ? waitingNote(adjustments) : undefined,
      link: words.openAdjustments,
      route: OPERATIONS,
      search: "?tab=adjustments&status=pending",
    },
    {
      name: "holds",
      shown: hasCard(overview, holds, may.holds),
      value: holds ? wholeNumber(holds.count) : undefined,
      alarms: (holds?.count ?? 0) > 0,
      note: holds ? dueNote(holds) : undefined,
      link: words.openHolds,
      route: HOLDS,
      search: "?due=today",
    },
    {
      name: "documents",
      shown: hasCard(overview, documents, may.documents),
      value: documents ? wholeNumber(documents.count) : undefined,
      alarms: false,
      note: documents ? documentsNote(documents) : undefined,
      link: words.openDocuments,
      route: HOLDS,
      search: "?tab=documents&answer=sent",
    },
    {
      name: "exceptions",
      shown: hasCard(overview, exceptions, may.exceptions),
      value: numberText(exceptions),
      alarms: false,
      note: words.exceptionsHint,
      link: words.openExceptions,
      route: "/ajustes/excecoes",
    },
    {
      name: "differences",
      shown: hasCard(overview, differences, may.differences),
      value: numberText(differences),
      alarms: false,
      note: words.differencesHint,
      link: words.openDifferences,
      route: "/ajustes/conciliacao",
    },
    lateCard("payouts", overview, overview?.payouts_late, may.payouts),
    lateCard("refunds", overview, overview?.refunds_late, may.refunds),
    lateCard("charges", overview, overview?.charges_late, may.charges),
    lateCard("emails", overview, overview?.emails_late, may.emails),
    {
      name: "receivables",
      shown: hasCard(overview, receivables, may.receivables),
      value: receivables
        ? receivables.oldest_due
          ? businessDate(receivables.oldest_due)
          : strings.list.none
        : undefined,
      alarms: (receivables?.late ?? 0) > 0,
      note: receivables ? words.receivablesLate(receivables.late, wholeNumber(receivables.late)) : undefined,
      link: words.openList,
      route: OPERATIONS,
      search: "?tab=receivables",
    },
    {
      name: "negative",
      shown: hasCard(overview, negative, may.negative),
      value: negative ? wholeNumber(negative.count) : undefined,
      alarms: (negative?.count ?? 0) > 0,
      note: negative ? words.negativeSum(money(negative.amount)) : undefined,
      link: words.openList,
      route: OPERATIONS,
      search: "?tab=balances",
    },
    {
      name: "followers",
      shown: hasCard(overview, followers, may.followers),
      value: followers ? wholeNumber(followers.lag_events) : undefined,
      alarms: (followers?.stopped ?? 0) > 0,
      note: followers ? words.followersStopped(followers.stopped) : undefined,
      link: words.openList,
      route: OPERATIONS,
      search: "?tab=followers",
    },
  ];
}

const numberText = (count: number | null | undefined) =>
  count === null || count === undefined ? undefined : wholeNumber(count);

function waitingNote({
  amount,
  oldest_seconds,
}: NonNullable<AdminOverview["withdrawals_waiting" | "adjustments_waiting"]>): string {
  const sum = words.withdrawalsAmount(money(amount));
  return oldest_seconds === null ? sum : `${sum} · ${words.oldest(age(oldest_seconds))}`;
}

function dueNote({ amount, first_day }: NonNullable<AdminOverview["holds_due"]>): string {
  if (first_day === null) return words.noneDue;
  return `${words.heldAmount(money(amount))} · ${words.dueSince(businessDate(first_day))}`;
}

const documentsNote = ({ oldest_seconds }: NonNullable<AdminOverview["hold_documents_waiting"]>) =>
  oldest_seconds === null ? words.noneToAnswer : words.oldest(age(oldest_seconds));

function lateCard(
  name: "payouts" | "refunds" | "charges" | "emails",
  overview: AdminOverview | undefined,
  work: AdminOverview["payouts_late"] | undefined,
  mayCall: boolean,
): Card {
  const oldest = work?.oldest_seconds ?? null;
  return {
    name,
    shown: hasCard(overview, work, mayCall),
    value: work ? wholeNumber(work.count) : undefined,
    alarms: (work?.count ?? 0) > 0,
    note: work ? (oldest === null ? words.noneLate : words.oldest(age(oldest))) : undefined,
    link: words.openList,
    route: OPERATIONS,
    search: `?tab=${name}`,
  };
}

interface NoteProps {
  route: string;
  search: string | undefined;
  label: string;
  children: ReactNode;
}

/** A note with a link to its list, for roles that may open the list. */
function NoteWithLink({ route, search = "", label, children }: NoteProps) {
  const mayOpen = useMayOpen(route);
  if (!mayOpen) return children;
  return (
    <span className={styles.noteLine}>
      <span>{children}</span>
      <span>
        <Anchor
          component={Link}
          to={`${route}${search}`}
          className={styles.noteLink}
          inherit
          underline="always"
        >
          {label}
        </Anchor>
      </span>
    </span>
  );
}
