// The seller's company with the fields that only owners and admins get.
import type { OwnBusiness } from "../../api/models";

export type OwnCompany = OwnBusiness & { version: number; type: "PF" | "PJ" };

/** Undefined while it is read, and for an operator, who gets four fields only. */
export function detailsOf(company: OwnBusiness | undefined): OwnCompany | undefined {
  return company && "version" in company ? (company as OwnCompany) : undefined;
}
