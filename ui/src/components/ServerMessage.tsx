// The gateway's message about a form, in an alert that can be closed.
import { Alert } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { strings } from "../strings/pt-BR";
import styles from "./ServerMessage.module.css";

interface ServerMessageProps {
  message: string | undefined;
  onClose: () => void;
}

export function ServerMessage({ message, onClose }: ServerMessageProps) {
  if (!message) return null;
  return (
    <Alert
      className={styles.alert}
      icon={<IconAlertCircle size={20} aria-hidden />}
      withCloseButton
      closeButtonLabel={strings.buttons.close}
      onClose={onClose}
    >
      {message}
    </Alert>
  );
}
