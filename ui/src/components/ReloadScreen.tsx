// A loading screen that reloads the whole page after six seconds.
import { Loader } from "@mantine/core";
import { useEffect } from "react";
import { strings } from "../strings/pt-BR";
import styles from "./PageLoader.module.css";

const RELOAD_AFTER_MS = 6000;

export function ReloadScreen() {
  useEffect(() => {
    const timer = setTimeout(() => window.location.reload(), RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);

  return (
    <main className={styles.loader}>
      <Loader aria-hidden />
      <p className={styles.text} role="status">
        {strings.reloading}
      </p>
    </main>
  );
}
