// The steps that create a company: their values, their validation, the draft that a reload keeps, and the body that is
// sent.
import * as z from "zod/mini";
import { NEW_COMPANY_DRAFT } from "../../api/drafts";
import type { Failure } from "../../api/failure";
import { cpfField, emailField, nameField, newPasswordField } from "../../components/forms/personFields";
import { phoneField } from "../../components/forms/phoneField";
import { isCnpj } from "../../format/cnpj";
import { isCpf } from "../../format/cpf";
import { companiesStrings } from "../../strings/pt-BR.companies";
import {
  type AccountValues,
  type AddressValues,
  accountSchema,
  addressSchema,
  descriptorField,
  mccField,
  NO_ACCOUNT,
  NO_ADDRESS,
  optionalCpf,
  optionalEmail,
} from "./companyForm";
import { DEFAULT_PLANS, planField, type SalesPlanIds, SOLUTIONS } from "./planOptions";

const words = companiesStrings.wizard;

export const STEPS = ["seller", "business", "address", "plans", "bank_account"] as const;
export type Step = (typeof STEPS)[number];

export interface Draft {
  seller: {
    /** Whether the wizard creates the user or gives the company to one that exists. */
    owner: "new" | "existing";
    seller_id: string;
    /** Shown in the form. It is not sent. */
    seller_name: string;
    name: string;
    email: string;
    password: string;
    document: string;
  };
  business: {
    type: "PF" | "PJ";
    document: string;
    name: string;
    trade_name: string;
    statement_descriptor: string;
    email: string;
    phone: string;
    mcc: string;
    representative_name: string;
    representative_document: string;
    birth_date: string;
  };
  address: AddressValues;
  plans: SalesPlanIds & {
    receiving_plan_id: string;
    /** Shown in the form. It is not sent. */
    receiving_plan_name: string;
  };
  bank_account: AccountValues;
}

export const EMPTY: Draft = {
  seller: { owner: "new", seller_id: "", seller_name: "", name: "", email: "", password: "", document: "" },
  business: {
    type: "PJ",
    document: "",
    name: "",
    trade_name: "",
    statement_descriptor: "",
    email: "",
    phone: "",
    mcc: "",
    representative_name: "",
    representative_document: "",
    birth_date: "",
  },
  address: NO_ADDRESS,
  plans: { receiving_plan_id: "", receiving_plan_name: "", ...DEFAULT_PLANS },
  bank_account: NO_ACCOUNT,
};

const business = z
  .object({
    type: z.string(),
    document: z.string(),
    name: nameField,
    trade_name: z.string(),
    statement_descriptor: descriptorField,
    email: optionalEmail,
    phone: phoneField,
    mcc: mccField,
    representative_name: z.string(),
    representative_document: optionalCpf,
    birth_date: z.string(),
  })
  .check(
    documentCheck(({ document }) => document !== "", words.documentRequired),
    documentCheck(
      ({ type, document }) => document === "" || (type === "PF" ? isCpf(document) : isCnpj(document)),
      words.documentInvalid,
    ),
  );

interface DocumentValues {
  type: string;
  document: string;
}

/** Also checked if other fields fail, so that all errors appear at once. */
function documentCheck(valid: (values: DocumentValues) => boolean, texts: { PF: string; PJ: string }) {
  return z.refine<DocumentValues>(valid, {
    error: ({ input }) => texts[(input as DocumentValues).type === "PF" ? "PF" : "PJ"],
    path: ["document"],
    when: () => true,
  });
}

export const schemas = {
  seller: z.discriminatedUnion("owner", [
    z.object({
      owner: z.literal("new"),
      name: nameField,
      email: emailField,
      password: newPasswordField,
      document: cpfField,
    }),
    z.object({
      owner: z.literal("existing"),
      seller_id: z.string().check(z.minLength(1, words.sellerRequired)),
    }),
  ]),
  business,
  address: addressSchema,
  plans: z.object({
    receiving_plan_id: z.string(),
    plan_1: z.string(),
    plan_2: z.string(),
    plan_3: z.string(),
    plan_4: z.string(),
  }),
  bank_account: accountSchema,
} as const;

/** The type alone is no account. */
const isEmptyAccount = ({ type: _, ...fields }: AccountValues) =>
  Object.values(fields).every((value) => value === "");

export function bodyOf(draft: Draft) {
  const { type, representative_name, representative_document, birth_date, ...ofBothTypes } = draft.business;
  const ofType = type === "PF" ? { birth_date } : { representative_name, representative_document };
  const { receiving_plan_id } = draft.plans;
  const plans = SOLUTIONS.map((solution) => ({
    solution_id: solution,
    plan_id: draft.plans[planField(solution)],
  })).filter(({ plan_id }) => plan_id !== "");
  const { owner, seller_id, seller_name: _, ...seller } = draft.seller;
  return {
    ...(owner === "existing" ? { seller_id } : { seller }),
    business: { type, ...ofBothTypes, ...ofType, ...(receiving_plan_id && { receiving_plan_id }) },
    address: draft.address,
    ...(plans.length > 0 && { plans }),
    ...(!isEmptyAccount(draft.bank_account) && { bank_account: draft.bank_account }),
  };
}

/** The part of a refusal that belongs to a step, with the fields as the step names them. */
export function failureOf(step: Step, failure: Failure | undefined): Failure | undefined {
  const prefix = `${step}.`;
  return failure?.withFieldNames((field) => {
    const path = draftPathOf(field);
    return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
  });
}

/** The first step that has an error of a field. */
export function stepOf(failure: Failure): Step | undefined {
  const paths = Object.keys(failure.fields).map(draftPathOf);
  return STEPS.find((step) => paths.some((path) => path.startsWith(`${step}.`)));
}

/**
 * The path of a gateway's field in the draft, beginning with its step. The gateway reports errors of all sales plans in
 * one field; the form shows them at the first one.
 */
function draftPathOf(field: string): string {
  if (field === "seller_id") return "seller.seller_id";
  if (field === "business.receiving_plan_id") return "plans.receiving_plan_id";
  return field === "plans" ? `plans.${planField(1)}` : field;
}

export function readDraft(): Draft {
  try {
    const kept = JSON.parse(localStorage.getItem(NEW_COMPANY_DRAFT) ?? "{}") as Partial<Record<Step, object>>;
    const part = (step: Step) => ({ ...EMPTY[step], ...kept[step] });
    return {
      seller: part("seller"),
      business: part("business"),
      address: part("address"),
      plans: part("plans"),
      bank_account: part("bank_account"),
    } as Draft;
  } catch {
    return EMPTY;
  }
}

/** The step that was open when the page was left; 0 without a draft. */
export function readStep(): number {
  try {
    const kept = JSON.parse(localStorage.getItem(NEW_COMPANY_DRAFT) ?? "{}") as { step?: unknown };
    return Math.max(0, STEPS.indexOf(kept.step as Step));
  } catch {
    return 0;
  }
}

/**
 * Where the wizard opens with a stored draft. A new user's password is not stored, so the first step asks for it again
 * and then returns to the open one.
 */
export function resume(draft: Draft, openStep: number): { stepIndex: number; returnTo: number } {
  const asksPassword = draft.seller.owner === "new" && draft.seller.password === "";
  return { stepIndex: asksPassword ? 0 : openStep, returnTo: openStep };
}

/** The password is never stored. */
export function keepDraft(draft: Draft, step: Step) {
  try {
    const { password: _, ...seller } = draft.seller;
    localStorage.setItem(NEW_COMPANY_DRAFT, JSON.stringify({ ...draft, seller, step }));
  } catch {
    // Without storage, the draft lasts until the page is left.
  }
}

export function dropDraft() {
  try {
    localStorage.removeItem(NEW_COMPANY_DRAFT);
  } catch {
    // There is nothing to remove.
  }
}
