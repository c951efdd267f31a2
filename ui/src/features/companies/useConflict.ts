// After a 409, because another user changed the company while its form was open: the form takes that user's changes,
// keeps what was typed, and the next save starts from the new version.
import { useEffect, useMemo, useState } from "react";
import type { Failure } from "../../api/failure";
import { useApi } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import { panel } from "../../api/panel";
import type { AnyValues, Form } from "../../components/forms/useValidatedForm";
import type { MessageVariant } from "../../components/ServerMessage";
import { mergeTexts, noticeOf } from "./companyMerge";
import { detailsOf, type OwnCompany } from "./ownCompany";

const CONFLICT = 409;
const FRESH = { keepPrevious: false, fresh: true };

/** The company as staff read it after a save was refused with a 409. */
export function useStaffLatest(id: string, failure: Failure | undefined): BusinessDetail | undefined {
  const refused = panel === "admin" && failure?.status === CONFLICT;
  const params = refused ? { path: { id } } : undefined;
  return useApi(refused ? "/admin/businesses/{id}" : null, params, FRESH).data;
}

/** The company as its seller reads it after a save was refused with a 409. */
export function useOwnLatest(businessId: string, failure: Failure | undefined): OwnCompany | undefined {
  const refused = panel !== "admin" && failure?.status === CONFLICT;
  const params = refused ? { path: { businessId } } : undefined;
  return detailsOf(useApi(refused ? "/business/{businessId}" : null, params, FRESH).data);
}

interface ConflictOptions<Company, Values> {
  opened: Company;
  latest: Company | undefined;
  failure: Failure | undefined;
  valuesOf: (company: Company) => Values;
  labels: { readonly [Field in keyof Values]?: string };
  /** What else the user must know before the next save. */
  note?: (typed: Values, latest: Company) => string | undefined;
}

export interface Conflict<Company, Values> {
  /** What the form is based on: the company as it was opened, or as it was merged last. */
  company: Company;
  /** The last failure. After a merge, its message says what was merged. */
  error: Failure | undefined;
  variant: MessageVariant;
  /** Set until `merge` was called with the form's values. */
  unmerged: Company | undefined;
  merge: (typed: Values) => Values;
}

export function useConflict<
  Company extends { version: number },
  Values extends { [Field in keyof Values]: string },
>(options: ConflictOptions<Company, Values>): Conflict<Company, Values> {
  const { opened, latest, failure, valuesOf, labels, note } = options;
  const [company, setCompany] = useState(opened);
  const [notice, setNotice] = useState<{ failure: Failure; shown: Failure }>();
  const unmerged = useMemo(
    () => (failure && latest && latest.version !== company.version ? latest : undefined),
    [failure, latest, company],
  );
  const merge = (typed: Values) => {
    if (!failure || !unmerged) return typed;
    const saved = valuesOf(unmerged);
    const merged = mergeTexts(valuesOf(company), typed, saved);
    const texts = [noticeOf(merged, saved, labels), note?.(typed, unmerged)];
    setNotice({ failure, shown: failure.withMessage(texts.filter(Boolean).join(" ")) });
    setCompany(unmerged);
    return merged.values;
  };
  const merged = failure !== undefined && notice?.failure === failure;
  return {
    company,
    error: merged ? notice.shown : failure,
    variant: merged ? "warning" : "error",
    unmerged,
    merge,
  };
}

/** Merges the company into the form as soon as it is read. Called where the form is drawn. */
export function useMerge<Company, Values extends AnyValues>(
  form: Form<Values>,
  { unmerged, merge }: Conflict<Company, Values>,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each company that is read is merged once
  useEffect(() => {
    if (unmerged) form.setValues(merge(form.getValues()));
  }, [unmerged]);
}
