// The files that a seller sent for a hold, below the documents that it asks for.
import { Anchor } from "@mantine/core";
import type { ReactNode } from "react";
import type { HoldDetail, HoldDocument } from "../../api/models";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { holdsStrings as words } from "../../strings/pt-BR.holds";
import styles from "./Holds.module.css";
import { DocumentBadge } from "./holdBadges";

interface HoldFilesProps {
  hold: Pick<HoldDetail, "documents" | "files">;
  actions?: (file: HoldDocument) => ReactNode;
}

export function HoldFiles({ hold, actions }: HoldFilesProps) {
  // A change of the hold may ask for other documents; the files of the earlier ones stay.
  const names = [...new Set([...hold.documents, ...hold.files.map(({ asked }) => asked)])];
  return names.map((asked) => {
    const files = hold.files.filter((file) => file.asked === asked);
    return (
      <div key={asked}>
        <h3 className={styles.asked}>{asked}</h3>
        {files.length === 0 ? (
          <p className={shared.note}>{words.noFiles}</p>
        ) : (
          <ul className={styles.files} aria-label={words.files(asked)}>
            {files.map((file) => (
              <li key={file.id}>
                <div className={styles.file}>
                  <Anchor href={file.url} download inherit underline="always">
                    {file.file_name}
                  </Anchor>
                  <span className={shared.dim}>
                    <Instant at={file.sent_at} /> · {words.sentBy(file.sent_by)}
                  </span>
                  {file.note && <span>{words.note(file.note)}</span>}
                </div>
                <DocumentBadge state={file.state} />
                {actions?.(file)}
              </li>
            ))}
          </ul>
        )}
      </div>
    );
  });
}
