// A button that cannot always be pressed. It stays within the keyboard's reach and says why it does nothing.
import { Button, type ButtonProps, Tooltip } from "@mantine/core";

interface ReasonedButtonProps extends ButtonProps {
  /** Why it cannot be pressed now; absent where it can. */
  why?: string | undefined;
  onClick: () => void;
}

export function ReasonedButton({ why, onClick, ...button }: ReasonedButtonProps) {
  const off = why !== undefined;
  return (
    <Tooltip
      label={why}
      disabled={!off}
      multiline
      maw="min(280px, calc(100vw - 32px))"
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        {...button}
        onClick={off ? undefined : onClick}
        data-disabled={off || undefined}
        aria-disabled={off || undefined}
        aria-description={why}
      />
    </Tooltip>
  );
}
