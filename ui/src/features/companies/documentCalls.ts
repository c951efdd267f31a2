// The calls about documents, by panel.
import { type Read, useApi, useCommand } from "../../api/hooks";
import type { BusinessDocuments } from "../../api/models";
import { panel } from "../../api/panel";
import type { Change } from "./companyCalls";

const isStaff = panel === "admin";

const READS = {
  refreshes: [
    "/admin/businesses/{id}/documents",
    "/business/{businessId}/documents",
    "/admin/businesses/{id}/history",
    // Both say which documents are missing.
    "/admin/businesses/{id}",
    "/sellers/me",
  ],
} as const;

export function useDocuments(companyId: string): Read<BusinessDocuments> {
  const staff = useApi(
    isStaff ? "/admin/businesses/{id}/documents" : null,
    { path: { id: companyId } },
    { keepPrevious: false },
  );
  const own = useApi(
    isStaff ? null : "/business/{businessId}/documents",
    { path: { businessId: companyId } },
    { keepPrevious: false },
  );
  return isStaff ? staff : own;
}

type Kind = "identity" | "address" | "articles" | "other";

export function useUploadDocument(companyId: string): Change<[kind: string, file: File]> {
  const staff = useCommand("POST /admin/businesses/{id}/documents", READS);
  const own = useCommand("POST /business/{businessId}/documents", READS);
  const run = (kind: string, file: File) => {
    const sent = { query: { kind: kind as Kind, name: file.name }, body: file };
    return isStaff
      ? staff.run({ path: { id: companyId }, ...sent })
      : own.run({ path: { businessId: companyId }, ...sent });
  };
  return isStaff ? { ...staff, run } : { ...own, run };
}

export function useRemoveDocument(companyId: string): Change<[documentId: string]> {
  const staff = useCommand("DELETE /admin/businesses/{id}/documents/{document_id}", READS);
  const own = useCommand("DELETE /business/{businessId}/documents/{document_id}", READS);
  const run = (document_id: string) =>
    isStaff
      ? staff.run({ path: { id: companyId, document_id } })
      : own.run({ path: { businessId: companyId, document_id } });
  return isStaff ? { ...staff, run } : { ...own, run };
}

/** The address of an uploaded image, scaled down to `width` pixels. */
export function imageAddress(companyId: string, url: string, width: number): string {
  const call = isStaff ? "/api/admin/images" : `/api/business/${companyId}/images`;
  return `${call}?${new URLSearchParams({ url, w: String(width) })}`;
}
