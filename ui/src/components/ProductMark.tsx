// The product's mark and name. The tenant chooses the name, so the mark is its first letter.
import { product } from "../api/panel";
import styles from "./ProductMark.module.css";

export function ProductMark() {
  return (
    <span className={styles.mark}>
      <span className={styles.sign} aria-hidden>
        {product.slice(0, 1).toUpperCase()}
      </span>
      {product}
    </span>
  );
}
