// The list of acquirers of one payment type, and who set it.
import { useMayCall } from "../../api/access";
import type { AcquirerRoute } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ReasonedButton } from "../../components/ReasonedButton";
import rows from "../../components/SettingRows.module.css";
import shared from "../../components/Shared.module.css";
import { paymentTypeName } from "../../format/payment";
import { acquirersStrings as words } from "../../strings/pt-BR.acquirers";
import styles from "./Acquirers.module.css";

interface RouteRowProps {
  route: AcquirerRoute;
  ofCompany: boolean;
  onEdit: (route: AcquirerRoute) => void;
}

export function RouteRow({ route, ofCompany, onEdit }: RouteRowProps) {
  const mayEdit = useMayCall("POST /admin/settings/acquirers");
  const { payment_type, source, acquirers, valid_from, set_by } = route;
  const type = paymentTypeName(payment_type);
  return (
    <li className={rows.row}>
      <h3 className={rows.name}>{type}</h3>
      <div className={rows.text}>
        {acquirers.some(({ usable }) => usable) ? null : (
          <strong className={rows.warning}>{words.notOffered}</strong>
        )}
        {acquirers.length > 0 && (
          <ol className={styles.order} aria-label={words.title(type)}>
            {acquirers.map(({ provider, label, usable }) => (
              <li key={provider}>
                {label} {!usable && <span className={styles.unusable}>({words.unusable})</span>}
              </li>
            ))}
          </ol>
        )}
        <span className={shared.note}>
          {source === "all" && !ofCompany ? words.general : words.sources[source]}
          {valid_from && (
            <>
              {". "}
              {words.since} <Instant at={valid_from} /> {set_by && words.setBy(set_by)}
            </>
          )}
        </span>
      </div>
      <ReasonedButton
        variant="default"
        aria-label={words.editOf(type)}
        disabledReason={mayEdit ? undefined : words.ownerOnly}
        onClick={() => onEdit(route)}
      >
        {words.edit}
      </ReasonedButton>
    </li>
  );
}
