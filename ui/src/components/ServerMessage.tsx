// A message about the last action, in an alert that can be closed.
import { Alert } from "@mantine/core";
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconInfoCircle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { strings } from "../strings/pt-BR";
import styles from "./ServerMessage.module.css";

/** The specification names all six variants; green looks like success, and red like error. */
const ICONS = {
  info: IconInfoCircle,
  warning: IconAlertTriangle,
  error: IconAlertCircle,
  success: IconCircleCheck,
  green: IconCircleCheck,
  red: IconAlertCircle,
};

export type MessageVariant = keyof typeof ICONS;

interface ServerMessageProps {
  message: string | undefined;
  onClose: () => void;
  variant?: MessageVariant | undefined;
  /** The code by which support finds a server error. */
  code?: string | undefined;
}

export function ServerMessage({ message, onClose, variant = "error", code }: ServerMessageProps) {
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A long page may be scrolled away from the message.
    if (message) alertRef.current?.scrollIntoView({ block: "nearest" });
  }, [message]);
  if (!message) return null;
  const Icon = ICONS[variant];
  const urgent = variant === "error" || variant === "red" || variant === "warning";
  return (
    <Alert
      ref={alertRef}
      className={styles.alert}
      data-variant={variant}
      role={urgent ? "alert" : "status"}
      icon={<Icon size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel={strings.buttons.close}
      onClose={onClose}
    >
      {message}
      {code && <small className={styles.code}>{strings.failure.requestId(code)}</small>}
    </Alert>
  );
}
