// The screens of reports. Sellers see the company that they act for. Staff choose a company, and most reports also
// show all of them.
import type { ComponentType, ReactNode } from "react";
import { screenTitle } from "../../api/access";
import { useBusiness } from "../../api/session";
import { type NamedBusiness, useNamedBusiness } from "../../components/BusinessSelect";
import { PageHeader } from "../../components/PageHeader";
import { reportStrings } from "../../strings/pt-BR.reports";
import { definitions, type ReportDefinition } from "./definitions";
import { useReportFilters } from "./filters";
import Report from "./Report";

interface ReportPageProps {
  definition: ReportDefinition;
  company: NamedBusiness | undefined;
}

function ReportPage({ definition, company }: ReportPageProps) {
  const header = (tools: ReactNode) => (
    <PageHeader
      title={screenTitle(definition.route)}
      hint={`${definition.hint} ${reportStrings.daysInBrasilia}`}
      actions={tools}
    />
  );
  return <Report definition={definition} company={company} header={header} />;
}

function sellerPage(definition: ReportDefinition): ComponentType {
  return function SellerReport() {
    return <ReportPage definition={definition} company={useBusiness()} />;
  };
}

function staffPage(definition: ReportDefinition): ComponentType {
  return function StaffReport() {
    const { business } = useReportFilters();
    return <ReportPage definition={definition} company={useNamedBusiness(business)} />;
  };
}

export const pages = {
  totals: sellerPage(definitions.totals),
  financial: sellerPage(definitions.financial),
  terminals: sellerPage(definitions.terminals),
  billing: staffPage(definitions.billing),
  billingByCompany: staffPage(definitions.billingByCompany),
  totalSales: staffPage(definitions.totalSales),
  companyTerminals: staffPage(definitions.companyTerminals),
};
