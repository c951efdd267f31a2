// A modal that shows something and is closed again. After it, its opener has the focus.
import { Modal, type ModalProps } from "@mantine/core";
import { strings } from "../strings/pt-BR";
import { useReturnFocus } from "./forms/useReturnFocus";

interface DetailModalProps
  extends Pick<ModalProps, "onClose" | "title" | "size" | "centered" | "fullScreen" | "children"> {
  closeLabel?: string;
}

export function DetailModal({ closeLabel = strings.buttons.close, ...modal }: DetailModalProps) {
  useReturnFocus();
  return <Modal opened closeButtonProps={{ "aria-label": closeLabel }} {...modal} />;
}
