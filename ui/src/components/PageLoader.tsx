// The spinner of a whole page while its content is unknown.
import { Loader } from "@mantine/core";
import { strings } from "../strings/pt-BR";
import styles from "./PageLoader.module.css";

export function PageLoader() {
  return (
    <div className={styles.loader} role="status" aria-label={strings.loading}>
      <Loader aria-hidden />
    </div>
  );
}
