// A loading screen that reloads the whole page after its time-out.
import { Loader } from "@mantine/core";
import { useEffect } from "react";
import { strings } from "../strings/pt-BR";
import styles from "./PageLoader.module.css";

const RELOAD_AFTER_MS = 6000;

export function ReloadScreen({ timedOut }: { timedOut: boolean }) {
  useEffect(() => {
    if (!timedOut) return;
    const timer = setTimeout(() => window.location.reload(), RELOAD_AFTER_MS);
    return () => clearTimeout(timer);
  }, [timedOut]);

  return (
    <main className={styles.loader}>
      <Loader aria-hidden />
      <p className={styles.text} role="status">
        {strings.reloading}
      </p>
    </main>
  );
}
