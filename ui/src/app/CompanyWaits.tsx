// Tells the users of a company that is not approved, on every page, what it waits for.
import { IconHourglass } from "@tabler/icons-react";
import { Link } from "react-router";
import { useMayCall } from "../api/access";
import type { SellerBusiness } from "../api/models";
import { waitingText } from "../format/waiting";
import { waitingStrings } from "../strings/pt-BR.waiting";
import styles from "./CompanyWaits.module.css";

const words = waitingStrings;

export default function CompanyWaits({ business }: { business: SellerBusiness }) {
  const maySend = useMayCall("POST /business/{businessId}/documents");
  const isPending = business.approval === "pending";
  return (
    <div className={styles.waits} role="status">
      <IconHourglass size={20} aria-hidden />
      <p>
        {waitingText(business)} {isPending ? words.effect.pending : words.effect.other}{" "}
        {isPending && maySend && business.missing_documents.length > 0 && (
          <Link to="/dados-da-empresa" className={styles.link}>
            {words.send}
          </Link>
        )}
      </p>
    </div>
  );
}
