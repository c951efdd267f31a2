// The one named modal that may be open: its view, payload and options. The caller of `open` receives the result. The
// app provides the content of each view, because components may not import features.
import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  use,
  useCallback,
  useEffect,
  useMemo,
  useState,
} from "react";
import { useLocation } from "react-router";
import type { ModalView, ModalViews } from "./views";

interface ModalOptions<View extends ModalView> {
  /** Called after the modal's form has succeeded and the modal is closed. */
  onConfirm?: (result: ModalViews[View]["result"]) => void;
  /** If false, the modal has no cross, and neither Escape nor a click outside closes it. */
  dismissible?: boolean;
}

export interface ModalContentProps<View extends ModalView> {
  payload: ModalViews[View]["payload"];
  dismissible: boolean;
  onClose: () => void;
  onConfirm: (result: ModalViews[View]["result"]) => void;
}

export type ModalContents = { [View in ModalView]: ComponentType<ModalContentProps<View>> };

/** Shows the content of any view. */
export type NamedModal = ComponentType<ModalContentProps<ModalView> & { view: ModalView }>;

interface ModalState<View extends ModalView = ModalView> {
  open: boolean;
  view: View | null;
  payload: ModalViews[View]["payload"] | null;
  options: ModalOptions<View>;
}

interface Modals {
  open: <View extends ModalView>(
    view: View,
    payload: ModalViews[View]["payload"],
    options?: ModalOptions<View>,
  ) => void;
  close: () => void;
}

const ModalContext = createContext<Modals | null>(null);
const CLOSED: ModalState = { open: false, view: null, payload: null, options: {} };

export function ModalProvider({ content: Content, children }: { content: NamedModal; children: ReactNode }) {
  const [state, setState] = useState<ModalState>(CLOSED);
  const { pathname } = useLocation();
  const close = useCallback(() => setState(CLOSED), []);
  const modals = useMemo<Modals>(
    () => ({
      open: (view, payload, options = {}) =>
        setState({ open: true, view, payload, options: options as ModalOptions<ModalView> }),
      close,
    }),
    [close],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of page closes the modal
  useEffect(close, [pathname]);

  return (
    <ModalContext value={modals}>
      {children}
      {state.open && state.view && state.payload && (
        <Suspense>
          <Content
            view={state.view}
            payload={state.payload}
            dismissible={state.options.dismissible ?? true}
            onClose={close}
            onConfirm={(result) => {
              close();
              state.options.onConfirm?.(result);
            }}
          />
        </Suspense>
      )}
    </ModalContext>
  );
}

export function useModals(): Modals {
  const modals = use(ModalContext);
  if (!modals) throw new Error("useModals outside of ModalProvider");
  return modals;
}
