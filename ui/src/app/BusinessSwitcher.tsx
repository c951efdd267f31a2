// Chooses the current company of a seller, and links to the company's data.
import { ActionIcon, Select } from "@mantine/core";
import { IconBuildingStore, IconFileDescription } from "@tabler/icons-react";
import { startTransition } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { useMayOpen } from "../api/access";
import { addressAfterChange } from "../api/changeBusiness";
import { useSession } from "../api/session";
import { taxId } from "../format/documents";
import { strings } from "../strings/pt-BR";
import { COMPANY_DETAILS } from "./addresses";
import styles from "./Shell.module.css";

/** A list of up to so many companies has no search. */
const UNSEARCHED_MAX = 8;

interface BusinessSwitcherProps {
  /** Whether it is the title of a narrow screen's header. */
  asTitle?: boolean;
}

export function BusinessSwitcher({ asTitle = false }: BusinessSwitcherProps) {
  const { business, businesses, chooseBusiness } = useSession();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  if (!business) return null;

  const choose = (id: string | null) => {
    const next = businesses.find((each) => each.id === id);
    if (!next || next.id === business.id) return;
    const { to, state } = addressAfterChange(pathname, next);
    // One transition for both, so that no page of the old company is read with the new company's id.
    startTransition(() => {
      chooseBusiness(next.id);
      navigate(to, { replace: true, state });
    });
  };
  const documents = new Map(businesses.map((each) => [each.id, taxId(each.document)]));
  return (
    <div className={styles.business} data-title={asTitle || undefined}>
      <Select
        aria-label={strings.shell.business}
        data={businesses.map(({ id, name }) => ({ value: id, label: name }))}
        value={business.id}
        onChange={choose}
        searchable={businesses.length > UNSEARCHED_MAX}
        {...(asTitle
          ? { variant: "unstyled", comboboxProps: { width: 300, position: "bottom-start" } }
          : { leftSection: <IconBuildingStore size={17} aria-hidden /> })}
        renderOption={({ option }) => (
          <span>
            {option.label}
            <small className={styles.document}>{documents.get(option.value)}</small>
          </span>
        )}
      />
      {!asTitle && <DetailsLink />}
    </div>
  );
}

function DetailsLink() {
  if (!useMayOpen(COMPANY_DETAILS)) return null;
  return (
    <ActionIcon
      component={Link}
      to={COMPANY_DETAILS}
      variant="transparent"
      size={36}
      aria-label={strings.shell.companyDetails}
      title={strings.shell.companyDetails}
    >
      <IconFileDescription size={19} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
