// A text that breaks between lines, but never within an amount or the number of a document or an account.
import { Fragment } from "react";
import styles from "./UnbrokenNumbers.module.css";

const NUMBERS = /([+-]?R\$\u00a0[\d.,]*\d|[\dA-Z]*\d[\dA-Z./-]*\d)/;

export function UnbrokenNumbers({ children }: { children: string }) {
  return children.split(NUMBERS).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className={styles.number}>
        {part}
      </span>
    ) : (
      <Fragment key={index}>{part}</Fragment>
    ),
  );
}
