// Chooses the current company of a seller.
import { Select } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { startTransition } from "react";
import { useLocation, useNavigate } from "react-router";
import { addressAfterChange } from "../api/changeBusiness";
import { useSession } from "../api/session";
import { taxId } from "../format/documents";
import { strings } from "../strings/pt-BR";
import styles from "./Shell.module.css";

export function BusinessSwitcher({ onChoose }: { onChoose: () => void }) {
  const { business, businesses, chooseBusiness } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (!business) return null;

  const choose = (id: string | null) => {
    const next = businesses.find((each) => each.id === id);
    if (!next || next.id === business.id) return;
    onChoose();
    const { to, state } = addressAfterChange(pathname, next);
    // Navigates first, so that the old company's page is not read in the new one.
    startTransition(() => {
      chooseBusiness(next.id);
      navigate(to, { replace: true, state });
    });
  };
  const documents = new Map(businesses.map((each) => [each.id, taxId(each.document)]));
  return (
    <Select
      className={styles.business}
      aria-label={strings.shell.business}
      data={businesses.map(({ id, name }) => ({ value: id, label: name }))}
      value={business.id}
      onChange={choose}
      allowDeselect={false}
      searchable={businesses.length > 8}
      leftSection={<IconBuildingStore size={17} aria-hidden />}
      renderOption={({ option }) => (
        <span>
          {option.label}
          <small className={styles.document}>{documents.get(option.value)}</small>
        </span>
      )}
    />
  );
}
