// A page's main message, and short alerts within a page.
import { type ReactNode, useEffect, useRef } from "react";

export type Tone = "good" | "wait" | "bad" | "quiet";

interface Props {
  tone: Tone;
  title: string;
  text?: ReactNode;
  children?: ReactNode;
}

/** Its title gets the focus, so that screen readers and keyboards are where the page has changed. */
export function Message({ tone, title, text, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another title is another message
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <section className={`card message ${tone}`}>
      <span className="sign" aria-hidden="true" />
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {text && <p>{text}</p>}
      {children}
    </section>
  );
}

/** Read out when it appears. */
export function Alert({ children }: { children: ReactNode }) {
  return (
    <p className="alert" role="alert">
      {children}
    </p>
  );
}
