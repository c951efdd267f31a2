// The saved views of a report: a menu that opens, saves and manages them. Opening one sets the address and the columns.
import { Button, Menu } from "@mantine/core";
import { IconBookmark, IconCheck, IconDeviceFloppy, IconMail, IconSettings } from "@tabler/icons-react";
import { useOptimisticSearchParams } from "nuqs/adapters/react-router/v7";
import { lazy, Suspense, useState } from "react";
import { useLocation, useNavigate } from "react-router";
import { useApi } from "../../api/hooks";
import type { ReportName, ReportView } from "../../api/models";
import { reportCalls } from "../../api/reportCalls";
import { useSession } from "../../api/session";
import { ServerMessage } from "../../components/ServerMessage";
import { showColumns, useRememberedColumns } from "../../components/table/useRememberedColumns";
import { savedViewStrings } from "../../strings/pt-BR.savedViews";
import styles from "./Reports.module.css";
import { addressOf, isOpen, leftOut } from "./savedViews";
import type { Dialog } from "./ViewDialogs";

const words = savedViewStrings;

export interface ViewedReport {
  report: ReportName;
  /** The name under which the table remembers its columns. */
  table: string;
  columns: readonly string[];
  hiddenAtFirst: readonly string[];
}

const ViewDialogs = lazy(() => import("./ViewDialogs"));

export function SavedViewsMenu({ viewed }: { viewed: ViewedReport }) {
  const { pathname } = useLocation();
  // Filters change the query without the router.
  const search = `?${useOptimisticSearchParams()}`;
  const shown = useRememberedColumns(viewed.table, shownColumns(viewed, null))[0];
  const navigate = useNavigate();
  const { business } = useSession();
  const [dialog, setDialog] = useState<Dialog>();
  const [notice, setNotice] = useState<string>();
  const [done, setDone] = useState<string>();
  const query = { report: viewed.report, ...(business && { business_id: business.id }) };
  const read = useApi(reportCalls.views, { query });
  const views = read.data?.data ?? [];
  const open = (view: ReportView) => {
    showColumns(viewed.table, shownColumns(viewed, view.columns));
    setNotice(noticeOf(view));
    void navigate(`${pathname}?${addressOf(view, search)}`);
  };
  const showsColumns = (view: ReportView) =>
    Object.entries(shownColumns(viewed, view.columns)).every(
      ([id, isShown]) => (shown[id] ?? true) === isShown,
    );
  const current = views.find((view) => isOpen(view, search) && showsColumns(view));
  return (
    <div className={styles.views}>
      <Menu position="bottom-start" width={280} returnFocus>
        <Menu.Target>
          <Button
            variant="default"
            size="sm"
            fullWidth
            leftSection={<IconBookmark size={16} aria-hidden />}
            classNames={{ label: styles.viewLabel }}
          >
            {current?.name ?? words.menu}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={styles.viewList}>
          <Menu.Label>{words.menu}</Menu.Label>
          {views.length === 0 && <p className={styles.noViews}>{read.error ? words.failed : words.none}</p>}
          {views.map((view) => (
            <Menu.Item
              key={view.id}
              aria-current={view === current ? "true" : undefined}
              rightSection={view === current && <IconCheck size={16} aria-hidden />}
              onClick={() => open(view)}
            >
              {view.name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          <DialogItems hasViews={views.length > 0} onDialog={setDialog} />
        </Menu.Dropdown>
      </Menu>
      <div className={styles.viewNotice}>
        <ServerMessage message={notice} variant="warning" onClose={() => setNotice(undefined)} />
        <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      </div>
      {dialog && (
        <Suspense>
          <ViewDialogs
            dialog={dialog}
            viewed={viewed}
            views={views}
            onClose={() => setDialog(undefined)}
            onDone={(message) => {
              setDialog(undefined);
              setDone(message);
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

interface DialogItemsProps {
  hasViews: boolean;
  onDialog: (dialog: Dialog) => void;
}

/** The items of the menu that open a dialog. */
function DialogItems({ hasViews, onDialog }: DialogItemsProps) {
  return (
    <>
      <Menu.Item leftSection={<IconDeviceFloppy size={16} aria-hidden />} onClick={() => onDialog("save")}>
        {words.save}
      </Menu.Item>
      {hasViews && (
        <Menu.Item leftSection={<IconSettings size={16} aria-hidden />} onClick={() => onDialog("manage")}>
          {words.manage}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<IconMail size={16} aria-hidden />} onClick={() => onDialog("email")}>
        {words.byEmail}
      </Menu.Item>
    </>
  );
}

/** The visibility of each column. A view without columns shows the report's default columns. */
function shownColumns(viewed: ViewedReport, columns: readonly string[] | null): Record<string, boolean> {
  const shown = (id: string) => (columns ? columns.includes(id) : !viewed.hiddenAtFirst.includes(id));
  return Object.fromEntries(viewed.columns.map((id) => [id, shown(id)]));
}

/** The notice that names the filters of the view which were left out; undefined if there are none. */
function noticeOf(view: ReportView): string | undefined {
  const dropped = Object.entries(leftOut(view));
  if (dropped.length === 0) return undefined;
  const name = (filter: string) => words.filters[filter as keyof typeof words.filters] ?? filter;
  return words.outdated(
    view.name,
    dropped.map(([filter, reason]) =>
      reason ? `${name(filter)} (${reason.replace(/\.$/, "")})` : name(filter),
    ),
  );
}
