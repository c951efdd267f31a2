// Shown when a page, or the frame around it, fails to render.
import { Button } from "@mantine/core";
import { IconBug } from "@tabler/icons-react";
import type { FallbackProps } from "react-error-boundary";
import { Notice } from "../components/Notice";
import { strings } from "../strings/pt-BR";

export function CrashNotice({ resetErrorBoundary }: FallbackProps) {
  return (
    <div role="alert">
      <Notice
        icon={IconBug}
        title={strings.failure.crashTitle}
        heading="h1"
        action={<Button onClick={resetErrorBoundary}>{strings.buttons.retry}</Button>}
      >
        {strings.failure.crash}
      </Notice>
    </div>
  );
}
