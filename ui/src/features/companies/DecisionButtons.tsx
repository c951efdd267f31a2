// Staff decide on a company: approve, deny or delete it. Each button asks first and states the decision's effects.
import { Button } from "@mantine/core";
import { useState } from "react";
import { useCommand } from "../../api/hooks";
import type { BusinessDetail } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { COMPANY_READS } from "./reads";

const words = companiesStrings.company;

type Decision = keyof typeof words.decide;

const BUTTONS: readonly [Decision, string][] = [
  ["enabled", words.approve],
  ["denied", words.deny],
  ["deleted", words.remove],
];

interface DecisionButtonsProps {
  company: BusinessDetail;
  onDone: (message: string) => void;
}

export function DecisionButtons({ company, onDone }: DecisionButtonsProps) {
  const [asked, setAsked] = useState<Decision>();
  const decide = useCommand("PATCH /admin/businesses/{id}", COMPANY_READS);
  const close = () => {
    decide.reset();
    setAsked(undefined);
  };
  return (
    <>
      {BUTTONS.filter(([decision]) => decision !== company.approval).map(([decision, label]) => (
        <Button
          key={decision}
          variant={decision === "enabled" ? "filled" : "default"}
          onClick={() => setAsked(decision)}
        >
          {label}
        </Button>
      ))}
      {asked && (
        <ConfirmModal
          title={words.decide[asked].title(company.name)}
          effects={words.decide[asked].effects}
          submitLabel={words.decide[asked].submit}
          danger={asked !== "enabled"}
          command={decide}
          run={() =>
            decide.run({ path: { id: company.id }, body: { version: company.version, approval: asked } })
          }
          onDone={() => {
            onDone(words.decide[asked].done);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
