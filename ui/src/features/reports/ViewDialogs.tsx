// The dialogs of the menu of saved views. They load when the first one opens.
import type { ReportView } from "../../api/models";
import type { ViewedReport } from "./SavedViewsMenu";
import { SubscribeModal } from "./SubscribeModal";
import { ManageViews, SaveView } from "./ViewModals";

export type Dialog = "save" | "manage" | "email";

interface ViewDialogsProps {
  dialog: Dialog;
  viewed: ViewedReport;
  views: readonly ReportView[];
  onClose: () => void;
  /** Called after a subscription, with the message for the user. */
  onDone: (message: string) => void;
}

export default function ViewDialogs({ dialog, viewed, views, onClose, onDone }: ViewDialogsProps) {
  if (dialog === "save") return <SaveView viewed={viewed} onClose={onClose} />;
  if (dialog === "manage") return <ManageViews viewed={viewed} views={views} onClose={onClose} />;
  return <SubscribeModal report={viewed.report} onClose={onClose} onDone={onDone} />;
}
