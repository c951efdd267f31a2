// A notice in place of content.
import { Button } from "@mantine/core";
import { IconCloudOff, IconRefresh } from "@tabler/icons-react";
import type { ComponentType, ReactNode } from "react";
import { type Failure, fieldTextsOrMessage } from "../api/failure";
import { strings } from "../strings/pt-BR";
import styles from "./Notice.module.css";

interface NoticeProps {
  icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  /** An h1 if the page shows nothing else, an h3 below the title of a panel or a modal. */
  heading?: "h1" | "h2" | "h3" | "p";
}

export function Notice({ icon: Icon, title, children, action, heading: Heading = "p" }: NoticeProps) {
  return (
    <div className={styles.notice}>
      <span className={styles.icon}>
        <Icon size={28} stroke={1.6} aria-hidden />
      </span>
      <Heading className={styles.title}>{title}</Heading>
      {children && <div className={styles.text}>{children}</div>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

interface FailureNoticeProps {
  failure: Failure;
  onRetry: () => void;
}

export function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
  return (
    <div role="alert">
      <Notice
        icon={IconCloudOff}
        title={strings.failure.title}
        action={
          <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
            {strings.buttons.retry}
          </Button>
        }
      >
        {fieldTextsOrMessage(failure)}
        {failure.requestId && <small>{strings.failure.requestId(failure.requestId)}</small>}
      </Notice>
    </div>
  );
}
