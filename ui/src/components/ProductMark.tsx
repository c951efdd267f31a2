// The product's sign and name. The name is the tenant's, so the sign is its first letter.
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
