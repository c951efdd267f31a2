// Recorded text in full, such as an event's JSON. It keeps its line breaks and scrolls within its box.
import styles from "./RawText.module.css";
import { ScrollRegion } from "./ScrollRegion";
import shared from "./Shared.module.css";

export function RawText({ title, children }: { title: string; children: string }) {
  return (
    <>
      <h3 className={shared.section}>{title}</h3>
      <ScrollRegion label={title} className={styles.text}>
        {children}
      </ScrollRegion>
    </>
  );
}
