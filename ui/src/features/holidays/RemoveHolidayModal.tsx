// Asks before a local holiday is removed.
import { useCommand } from "../../api/hooks";
import type { Holiday } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { holidaysStrings as words } from "../../strings/pt-BR.holidays";

interface RemoveHolidayModalProps {
  holiday: Holiday;
  onClose: () => void;
  onDone: (message: string) => void;
}

export function RemoveHolidayModal({ holiday, onClose, onDone }: RemoveHolidayModalProps) {
  const remove = useCommand("DELETE /admin/holidays/{date}", {
    refreshes: ["/admin/holidays", "/admin/holidays/history", "/admin/holidays/preview"],
  });
  return (
    <ConfirmModal
      title={words.removeTitle(holiday.name)}
      effects={words.removeEffects}
      submitLabel={words.remove}
      danger
      command={remove}
      run={() => remove.run({ path: { date: holiday.date } })}
      onDone={() => onDone(words.removed(holiday.name))}
      onClose={onClose}
    />
  );
}
