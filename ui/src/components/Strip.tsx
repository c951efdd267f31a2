// An alert in the color of a state: what happened to the thing that the page is about. It is no live region.
import { Alert, type AlertProps } from "@mantine/core";
import styles from "./Strip.module.css";

interface StripProps extends AlertProps {
  tone: "good" | "wait" | "bad" | "alarm" | "quiet" | "info";
}

export function Strip({ tone, ...alert }: StripProps) {
  return <Alert className={styles.strip} data-tone={tone} role="note" {...alert} />;
}
