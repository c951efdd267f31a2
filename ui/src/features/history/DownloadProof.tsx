// The download of the proof of the company, with the figures of a period if one is chosen.
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useDownload } from "../../api/download";
import { useBusiness } from "../../api/session";
import { DateRange, type Period } from "../../components/DateRange";
import { Panel } from "../../components/Panel";
import { ExportFailure } from "../../components/table/ExportButton";
import { BUSINESS_ZONE } from "../../format/dates";
import { proofStrings } from "../../strings/pt-BR.proofs";
import styles from "./History.module.css";

const words = proofStrings.download;
const PROOF = "/business/{businessId}/verified-history/proof";

export function DownloadProof() {
  const { id, name } = useBusiness();
  const [period, setPeriod] = useState<Period | null>(null);
  const query = period ? { start: period.start, end: period.end } : {};
  const params = { path: { businessId: id }, query };
  const download = useDownload(PROOF, params, words.file, name, "json");
  return (
    <Panel title={words.title} hint={words.hint}>
      <ExportFailure download={download} className={styles.failure} />
      <div className={styles.download}>
        <DateRange
          value={period}
          onChange={setPeriod}
          zone={BUSINESS_ZONE}
          placeholder={words.placeholder}
          error={download.failure?.fields.start ?? download.failure?.fields.end}
        />
        <Button
          leftSection={<IconDownload size={17} aria-hidden />}
          loading={download.running}
          onClick={download.run}
        >
          {words.submit}
        </Button>
      </div>
      <p className={styles.warning}>{words.warning}</p>
    </Panel>
  );
}
