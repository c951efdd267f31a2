// A button that may be disabled for a reason. It keeps keyboard focus, and a tooltip shows the reason.
import { Button, type ButtonProps, Tooltip } from "@mantine/core";

interface ReasonedButtonProps extends ButtonProps {
  /** Why it is disabled; undefined if it is not. */
  disabledReason?: string | undefined;
  onClick: () => void;
}

export function ReasonedButton({ disabledReason, onClick, ...button }: ReasonedButtonProps) {
  const off = disabledReason !== undefined;
  return (
    <Tooltip
      label={disabledReason}
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
        aria-description={disabledReason}
      />
    </Tooltip>
  );
}
