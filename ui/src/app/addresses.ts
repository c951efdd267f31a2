export const LOGIN = "/login";
export const LOGOUT = "/logout";
export const UNAUTHORIZED = "/unauthorized";
export const MY_ACCOUNT = "/minha-conta";
/** The data of a seller's company. */
export const COMPANY_DETAILS = "/dados-da-empresa";
