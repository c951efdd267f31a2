// The product's logo and name. The tenant chooses the name, so without a logo its first letter stands there.
import { logo, product } from "../api/panel";
import styles from "./ProductLogo.module.css";

export function ProductLogo() {
  return (
    <span className={styles.product}>
      {logo ? (
        <img className={styles.image} src={logo} alt="" />
      ) : (
        <span className={styles.logo} aria-hidden>
          {product.slice(0, 1).toUpperCase()}
        </span>
      )}
      {product}
    </span>
  );
}
