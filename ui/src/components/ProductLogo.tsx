// The product's logo and name. A tenant without a logo gets the first letter of the name in its place.
import { logo, product } from "../api/panel";
import styles from "./ProductLogo.module.css";

export function ProductLogo() {
  return (
    <span className={styles.product}>
      <ProductMark />
      {product}
    </span>
  );
}

export function ProductMark() {
  return logo ? (
    <img className={styles.image} src={logo} alt="" />
  ) : (
    <span className={styles.logo} aria-hidden>
      {product.slice(0, 1).toUpperCase()}
    </span>
  );
}
