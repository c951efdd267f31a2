// Tells users who open their own record where they can change their data.
import { Link } from "react-router";
import { useMayOpen } from "../../api/access";
import { usersStrings } from "../../strings/pt-BR.users";
import styles from "./Users.module.css";

const words = usersStrings.user;
const MY_ACCOUNT = "/minha-conta";

export function SelfNote() {
  const may = useMayOpen(MY_ACCOUNT);
  return (
    <p className={styles.reason}>
      {words.self} {may ? <Link to={MY_ACCOUNT}>{words.myAccount}</Link> : words.myAccount}.
    </p>
  );
}
