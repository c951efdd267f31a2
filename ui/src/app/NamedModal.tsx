// The content of the open modal, by its view.
import type { ComponentType } from "react";
import type { ModalContentProps, NamedModal as Shown } from "../components/modals/modals";
import type { ModalView } from "../components/modals/views";
import { modalContents } from "./modalContents";

const NamedModal: Shown = ({ view, ...props }) => {
  // `open` accepts only the payload of its view. TypeScript cannot see this once the view is a variable.
  const Content = modalContents[view] as ComponentType<ModalContentProps<ModalView>>;
  return <Content {...props} />;
};

export default NamedModal;
