// Chooses the business that every page of the seller is about.
import { Select } from "@mantine/core";
import { IconBuildingStore } from "@tabler/icons-react";
import { useLocation, useNavigate } from "react-router";
import { useSession } from "../api/session";
import { taxId } from "../format/documents";
import { strings } from "../strings/pt-BR";
import { UNAUTHORIZED } from "./addresses";
import styles from "./Shell.module.css";

export function BusinessSelector({ onChoose }: { onChoose: () => void }) {
  const { business, businesses, chooseBusiness } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (!business) return null;

  const choose = (id: string | null) => {
    if (!id || id === business.id) return;
    chooseBusiness(id);
    onChoose();
    // A page number or a record's id belongs to the business left behind, and so does a page that was denied in it.
    navigate(pathname === UNAUTHORIZED ? "/" : `/${pathname.split("/")[1] ?? ""}`, { replace: true });
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
