// The lines below the title of a printed report: the company, the period, the filters, and when it was printed.
import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { businessNow } from "../../api/serverClock";
import { useTimeZone } from "../../api/session";
import { instant } from "../../format/dates";
import { reportStrings } from "../../strings/pt-BR.reports";
import styles from "./Reports.module.css";

const words = reportStrings.print;

interface PrintHeadProps {
  company: string;
  period: string | undefined;
  /** The chosen filters as text; empty if there are none. */
  filters: string;
}

export function PrintHead({ company, period, filters }: PrintHeadProps) {
  const zone = useTimeZone();
  const [at, setAt] = useState(() => businessNow());
  useEffect(() => {
    // The browser prints the page as it is at the end of this event, so the time must be rendered at once.
    const stamp = () => flushSync(() => setAt(businessNow()));
    window.addEventListener("beforeprint", stamp);
    return () => window.removeEventListener("beforeprint", stamp);
  }, []);
  const facts: [string, string | undefined][] = [
    [words.company, company],
    [words.period, period],
    [words.filters, filters || words.none],
    [words.printedAt, instant(at.toISOString(), zone)],
  ];
  return (
    <div className={styles.printed} aria-hidden>
      <dl>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
