// A container that scrolls its content. It can take the focus, so that the keyboard can scroll it.
import type { ReactNode } from "react";

interface ScrollRegionProps {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; this has a table or a text
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div role="group" className={className} tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
