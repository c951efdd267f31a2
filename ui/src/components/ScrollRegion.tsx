// A place that scrolls by itself. The keyboard can only scroll what it can reach, hence the tab stop.
import type { ReactNode } from "react";

interface ScrollRegionProps {
  label: string;
  className: string | undefined;
  children: ReactNode;
}

export function ScrollRegion({ label, className, children }: ScrollRegionProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs; this groups a table
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <div role="group" className={className} tabIndex={0} aria-label={label}>
      {children}
    </div>
  );
}
