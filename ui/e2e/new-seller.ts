// A seller user that a test creates through the API. Tests change its password or e-mail address, and the users of the
// demo story keep theirs.
import type { Browser } from "@playwright/test";
import { isCnpj } from "../src/format/cnpj";
import { openHost, sendFromPage, staffUrl } from "./panel";
import { signedInState } from "./signed-in";
import { type NewUser, newUser } from "./users";

/** The owner of a new company. A password that staff give to any other user of a company is provisional. */
export async function createSeller(browser: Browser, baseURL: string | undefined): Promise<NewUser> {
  const seller = newUser("Nova Pessoa");
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "administrator"),
  });
  const page = await context.newPage();
  await openHost(page, staffUrl(baseURL));
  await sendFromPage(page, "POST", "/admin/sellers/create", {
    seller,
    business: {
      type: "PJ",
      document: newCnpj(),
      name: `Empresa de ${seller.name}`,
      statement_descriptor: "NOVA EMPRESA",
      email: seller.email,
      phone: "11999998888",
      mcc: "5691",
      representative_name: "Nova Pessoa",
      representative_document: seller.document,
    },
    address: {
      address: "Praça da Sé",
      number: "1",
      neighborhood: "Sé",
      city: "São Paulo",
      state: "SP",
      postal_code: "01001000",
    },
  });
  await context.close();
  return seller;
}

/** A CNPJ that no other test and no other run has used. */
function newCnpj(): string {
  const root = (Date.now() % 1e8).toString().padStart(8, "0");
  for (let digits = 0; digits < 100; digits += 1) {
    const cnpj = `${root}0001${digits.toString().padStart(2, "0")}`;
    if (isCnpj(cnpj)) return cnpj;
  }
  throw new Error(`no check digits for ${root}`);
}
