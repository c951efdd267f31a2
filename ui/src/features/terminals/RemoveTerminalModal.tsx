// Asks before a terminal is taken from its company.
import { useCommand } from "../../api/hooks";
import type { Terminal } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { terminalStrings } from "../../strings/pt-BR.terminals";
import { TERMINAL_READS } from "./reads";

const words = terminalStrings.remove;

interface RemoveTerminalModalProps {
  terminal: Terminal;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function RemoveTerminalModal({ terminal, onClose, onDone }: RemoveTerminalModalProps) {
  const { id, serial_number, business, monthly_price } = terminal;
  const remove = useCommand("DELETE /admin/businesses/{businessId}/terminals/{terminal_id}", {
    refreshes: TERMINAL_READS,
  });
  return (
    <ConfirmModal
      title={words.title(serial_number)}
      effects={[
        words.effects.stock(business?.name ?? ""),
        words.effects.sales,
        ...(monthly_price === null ? [] : [words.effects.rental]),
      ]}
      submitLabel={words.submit}
      danger
      command={remove}
      run={() => remove.run({ path: { businessId: business?.id ?? "", terminal_id: id } })}
      onDone={() => onDone(words.done(serial_number))}
      onClose={onClose}
    />
  );
}
