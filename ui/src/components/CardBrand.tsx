// The picture and the name of a card brand.
import { brandImage, brandName } from "../format/payment";
import styles from "./CardBrand.module.css";

interface CardBrandProps {
  brand: string;
  lastFour?: string | null | undefined;
}

export function CardBrand({ brand, lastFour }: CardBrandProps) {
  const image = brandImage(brand);
  return (
    <span className={styles.brand}>
      {image && <img src={image} alt="" width={29} height={18} loading="lazy" />}
      <span>{lastFour ? `${brandName(brand)} •••• ${lastFour}` : brandName(brand)}</span>
    </span>
  );
}
