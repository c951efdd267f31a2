// The product's logo and name. The tenant chooses the name, so the logo is its first letter.
import { product } from "../api/panel";
import styles from "./ProductLogo.module.css";

export function ProductLogo() {
  return (
    <span className={styles.product}>
      <span className={styles.logo} aria-hidden>
        {product.slice(0, 1).toUpperCase()}
      </span>
      {product}
    </span>
  );
}
