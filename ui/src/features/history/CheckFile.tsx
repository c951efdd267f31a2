// Checks a proof that the user chooses, in the browser, and shows what it shows.
import { Button, FileButton, Loader } from "@mantine/core";
import { IconAlertTriangle, IconFileSearch, IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { useBusiness } from "../../api/session";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { Strip } from "../../components/Strip";
import { BUSINESS_ZONE, instant } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import type { Refused, Verified } from "../../proofs/verify";
import { proofStrings } from "../../strings/pt-BR.proofs";
import { Balances } from "./Balances";
import styles from "./History.module.css";
import { periodText } from "./periodText";
import { type FileCheck, useFileCheck } from "./useFileCheck";
import { WitnessList } from "./WitnessList";

const words = proofStrings.check;

interface CheckFileProps {
  /** Public keys, in hex. */
  keys: readonly string[];
  /** As `name+id+key`. */
  witnesses: readonly string[];
}

export function CheckFile({ keys, witnesses }: CheckFileProps) {
  const { check, run } = useFileCheck(keys, witnesses);
  const running = check.state === "running";
  return (
    <Panel title={words.title} hint={words.hint}>
      <FileButton
        // The same file can be chosen again after it was changed.
        key={check.state}
        accept="application/json,.json"
        onChange={(file) => file && run(file)}
        inputProps={{ "aria-label": words.choose }}
      >
        {(props) => (
          <Button
            variant="default"
            leftSection={<IconFileSearch size={17} aria-hidden />}
            loading={running}
            {...props}
          >
            {words.choose}
          </Button>
        )}
      </FileButton>
      <div role="status" className={styles.result}>
        <Result check={check} />
      </div>
    </Panel>
  );
}

function Result({ check }: { check: FileCheck }) {
  switch (check.state) {
    case "none":
      return null;
    case "running":
      return (
        <p className={styles.running}>
          <Loader size="xs" aria-hidden /> {words.running(check.file)}
        </p>
      );
    case "failed":
      return <Unchecked file={check.file} text={words.failed} />;
    case "done":
      return check.answer.valid ? (
        <Valid file={check.file} proof={check.answer} />
      ) : (
        <NotValid file={check.file} refused={check.answer} />
      );
  }
}

function Unchecked({ file, text }: { file: string; text: string }) {
  return (
    <Strip tone="wait" icon={<IconAlertTriangle size={20} aria-hidden />} title={words.uncheckedTitle}>
      {text}
      <p className={styles.fileName}>{file}</p>
    </Strip>
  );
}

/** What the browser or the panel lacks says nothing about the file. */
const UNCHECKED: readonly Refused["code"][] = ["no_ed25519", "witness_key"];

function NotValid({ file, refused: { code, event } }: { file: string; refused: Refused }) {
  if (UNCHECKED.includes(code)) return <Unchecked file={file} text={words.refusals[code]} />;
  return (
    <Strip tone="bad" icon={<IconShieldX size={20} aria-hidden />} title={words.refusedTitle}>
      {words.refusals[code]} {event !== undefined && words.atEvent(wholeNumber(event))}
      <p className={styles.fileName}>{file}</p>
    </Strip>
  );
}

function Valid({ file, proof }: { file: string; proof: Verified }) {
  const { name, id } = useBusiness();
  const isOther = proof.kind !== "growth" && proof.businessId !== id;
  return (
    <>
      <Strip tone="good" icon={<IconShieldCheck size={20} aria-hidden />} title={words.validTitle}>
        {words.kindHints[proof.kind]}
      </Strip>
      {isOther && (
        <Strip tone="wait" icon={<IconAlertTriangle size={20} aria-hidden />} title={words.otherCompany} />
      )}
      <FactList
        label={words.validTitle}
        facts={[
          [words.file, file],
          [words.kind, words.kinds[proof.kind]],
          ...factsOf(proof, isOther ? undefined : name),
          [
            proofStrings.checks.checkpoint,
            <>
              <Instant at={proof.madeAt} /> · {proof.origin}
            </>,
          ],
          [
            proofStrings.checks.witnesses,
            <WitnessList
              key="witnesses"
              witnesses={proof.witnesses.map(({ name, cosignedAt }) => ({ name, cosigned_at: cosignedAt }))}
            />,
          ],
        ]}
      />
      {proof.kind === "company" && <Balances proof={proof} />}
    </>
  );
}

/** `company` is its name, if it is the one of the panel. */
function factsOf(proof: Verified, company: string | undefined): Fact[] {
  if (proof.kind === "growth") {
    return [[words.earlier, <Instant key="earlier" at={proof.earlier.madeAt} />]];
  }
  const who: Fact = [words.company, company ?? proof.businessId];
  const events: Fact = [words.events, wholeNumber(proof.events)];
  if (proof.kind === "sale") return [who, [words.sale, proof.saleId], events];
  const { period } = proof;
  const shown = (at: string) => instant(at, BUSINESS_ZONE);
  return [
    who,
    [words.period, period ? periodText(period, shown) : words.wholeHistory],
    events,
    [words.fees, period && money(period.fees)],
  ];
}
