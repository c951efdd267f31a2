// The picture and the name of a card brand.
import { brandImage, brandName } from "../format/payment";
import styles from "./BrandMark.module.css";

interface BrandMarkProps {
  brand: string;
  lastFour?: string | null | undefined;
}

export function BrandMark({ brand, lastFour }: BrandMarkProps) {
  const image = brandImage(brand);
  return (
    <span className={styles.brand}>
      {image && <img src={image} alt="" width={29} height={18} loading="lazy" />}
      <span>{lastFour ? `${brandName(brand)} •••• ${lastFour}` : brandName(brand)}</span>
    </span>
  );
}
