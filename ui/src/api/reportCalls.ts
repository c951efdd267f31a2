// The calls about saved views, reports by e-mail and the closing of a month. Each panel has its own.
import { panel } from "./panel";

const seller = {
  views: "/report-views",
  saveView: "POST /report-views",
  changeView: "PATCH /report-views/{id}",
  deleteView: "DELETE /report-views/{id}",
  emails: "/report-emails",
  subscribe: "POST /report-emails",
  stopEmail: "DELETE /report-emails/{id}",
  file: "/report-emails/files/{id}",
  closing: "/business/{businessId}/closing",
} as const;

const admin = {
  views: "/admin/report-views",
  saveView: "POST /admin/report-views",
  changeView: "PATCH /admin/report-views/{id}",
  deleteView: "DELETE /admin/report-views/{id}",
  emails: "/admin/report-emails",
  subscribe: "POST /admin/report-emails",
  stopEmail: "DELETE /admin/report-emails/{id}",
  file: "/admin/report-emails/files/{id}",
  closing: "/admin/businesses/{business_id}/closing",
} as const;

export const reportCalls = panel === "admin" ? admin : seller;
