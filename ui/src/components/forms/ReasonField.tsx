// The reason of an action, in several lines.
import { Textarea, type TextareaProps } from "@mantine/core";

interface ReasonFieldProps extends TextareaProps {
  maxLength: number;
}

export function ReasonField(props: ReasonFieldProps) {
  return <Textarea autosize minRows={2} {...props} />;
}
