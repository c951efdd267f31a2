// The calls about the user's own account. Each panel has its own.
import { panel } from "./panel";

const seller = {
  signIn: "POST /auth/sign-in",
  signOut: "GET /auth/logout",
  forgotPassword: "POST /auth/forgot-password",
  resetPassword: "POST /auth/reset-password",
  changePassword: "POST /auth/change-password",
  changeEmail: "POST /auth/change-email",
  requestVerification: "POST /auth/verifyemail",
  verifyEmail: "GET /auth/verifyemail/{verificationCode}",
  refuseEmail: "DELETE /auth/verifyemail/{verificationCode}",
  changeMe: "PATCH /sellers/me",
  endSession: "DELETE /sellers/me/sessions/{id}",
  endOtherSessions: "DELETE /sellers/me/sessions",
} as const;

const admin = {
  signIn: "POST /auth/admin/sign-in",
  signOut: "GET /auth/admin/logout",
  forgotPassword: "POST /auth/admin/forgot-password",
  resetPassword: "POST /auth/admin/reset-password",
  changePassword: "POST /auth/admin/change-password",
  changeEmail: "POST /auth/admin/change-email",
  requestVerification: "POST /auth/admin/verifyemail",
  verifyEmail: "GET /auth/admin/verifyemail/{verificationCode}",
  refuseEmail: "DELETE /auth/admin/verifyemail/{verificationCode}",
  changeMe: "PATCH /admin/me",
  endSession: "DELETE /admin/me/sessions/{id}",
  endOtherSessions: "DELETE /admin/me/sessions",
} as const;

export const accountCalls = panel === "admin" ? admin : seller;

export const ME = panel === "admin" ? "/admin/me" : "/sellers/me";
export const SIGN_OUT = panel === "admin" ? "/auth/admin/logout" : "/auth/logout";
export const MY_SESSIONS = panel === "admin" ? "/admin/me/sessions" : "/sellers/me/sessions";
