// The content of the open modal, by its view.
import type { ComponentType } from "react";
import type { ModalContentProps, NamedModal as Shown } from "../components/modals/modals";
import type { ModalView } from "../components/modals/views";
import { modalContents } from "./modalContents";

const NamedModal: Shown = ({ view, ...props }) => {
  // The `open` of `useModals` accepts only the payload of its view. TypeScript cannot tell this of a variable view.
  const Content = modalContents[view] as ComponentType<ModalContentProps<ModalView>>;
  return <Content {...props} />;
};

export default NamedModal;
