// The shapes that the gateway answers with, under the names the panels use. All come from the generated
// schema; nothing is declared by hand.
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Seller = Schemas["Seller"];
export type SellerBusiness = Schemas["SellerBusiness"];
export type SellerRole = SellerBusiness["role"];
export type Admin = Schemas["Admin"];
export type OwnSession = Schemas["OpenSession"];
export type Tenant = Schemas["TenantSettings"];
export type Overview = Schemas["Overview"];
export type BalanceTotals = Schemas["BalanceTotals"];
export type SaleRow = Schemas["SaleRow"];
export type SaleDetail = Schemas["SaleDetail"];
export type AdminSaleRow = Schemas["AdminSaleRow"];
export type AdminSaleDetail = Schemas["AdminSaleDetail"];
export type Explanation = Schemas["SaleExplanation"];
export type ExplanationLine = Schemas["FeeLine"];
export type ExplanationInstallment = Schemas["ExplainedInstallment"];
export type UndoPreview = Schemas["UndoPreview"];
export type BalanceShort = Schemas["BalanceShort"];
export type SaleStatus = SaleRow["status"];
export type Receivable = Schemas["Receivable"];
export type ReceivableStatus = Receivable["status"];
export type SaleEvent = Schemas["SaleEvent"];
export type SaleTotals = Schemas["SaleTotals"];
export type PageMeta = Schemas["PageMeta"];
export type Problem = Schemas["Problem"];
export type BalanceMovement = Schemas["BalanceMovement"];
export type AdminBalanceMovement = Schemas["AdminBalanceMovement"];
export type BalanceDay = Schemas["BalanceDay"];
export type Transfer = Schemas["Transfer"];
export type TransferStatus = Schemas["TransferStatus"];
export type TransferKind = Schemas["TransferKind"];
export type TransferDestination = Schemas["TransferDestination"];
export type DestinationDetails = Schemas["DestinationDetails"];
export type TransferQuote = Schemas["TransferQuote"];
export type BusinessDetail = Schemas["BusinessDetail"];
export type AdminOverview = Schemas["AdminOverview"];
export type LedgerEvent = Schemas["LedgerEvent"];
export type ExceptionRow = Schemas["ExceptionRow"];
export type ReceivablesDay = Schemas["ReceivablesDay"];
export type ReceivablesUnit = Schemas["ReceivablesUnit"];
export type DueInstallment = Schemas["DueInstallment"];
export type BalanceAsOf = Schemas["BalanceAsOf"];
export type JournalEntry = Schemas["JournalEntry"];
