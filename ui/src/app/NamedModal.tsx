// The content of the open modal, by its view.
import type { ComponentType } from "react";
import type { ModalContentProps, NamedModal as Shown } from "../components/modals/modals";
import type { ModalView } from "../components/modals/views";
import { modalContents } from "./modalContents";

const NamedModal: Shown = ({ view, ...props }) => {
  // The type of `open` gives each view its payload. TypeScript cannot tell that for a view of unknown name.
  const Content = modalContents[view] as ComponentType<ModalContentProps<ModalView>>;
  return <Content {...props} />;
};

export default NamedModal;
