// When an audit of the platform ended, and what it found.
import type { LedgerCheck } from "../../api/historySchema";
import { Instant } from "../../components/Instant";
import { wholeNumber } from "../../format/money";
import { proofStrings } from "../../strings/pt-BR.proofs";
import styles from "./History.module.css";

const words = proofStrings.checks;

export function AuditResult({ run }: { run: LedgerCheck | null }) {
  if (!run) return words.never;
  return (
    <>
      <Instant at={run.ended_at} />,{" "}
      <span className={run.findings > 0 ? styles.found : undefined}>
        {words.findings(run.findings, wholeNumber(run.findings))}
      </span>
    </>
  );
}
