// The spinner of a whole page while its content is unknown.
import { Loader } from "@mantine/core";
import { strings } from "../strings/pt-BR";
import styles from "./Waiting.module.css";

export function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label={strings.loading}>
      <Loader aria-hidden />
    </div>
  );
}
