// Text that breaks anywhere but within an amount or the number of a document or an account.
import { Fragment } from "react";
import styles from "./Unbroken.module.css";

const NUMBERS = /([+-]?R\$\u00a0[\d.,]*\d|[\dA-Z]*\d[\dA-Z./-]*\d)/;

export function Unbroken({ children }: { children: string }) {
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
