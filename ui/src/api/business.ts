// The current company of a seller, remembered in a cookie that the gateway reads too.
import type { SellerBusiness } from "./models";

const COOKIE = "current_business";
const AGE_SECONDS = 30 * 24 * 3600;

export function rememberedBusiness(cookies: string): string | undefined {
  for (const pair of cookies.split(";")) {
    const [name, value] = pair.trim().split("=");
    if (name === COOKIE && value) return decodeURIComponent(value);
  }
  return undefined;
}

export function businessCookie(id: string): string {
  return `${COOKIE}=${encodeURIComponent(id)}; Path=/; Max-Age=${AGE_SECONDS}; SameSite=Lax`;
}

/** The remembered company if the seller still has it, else the first one. */
export function pickBusiness(
  businesses: readonly SellerBusiness[],
  remembered: string | undefined,
): SellerBusiness | undefined {
  return businesses.find((business) => business.id === remembered) ?? businesses[0];
}
