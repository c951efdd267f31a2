// The menu that shows and hides a table's columns.
import { Menu } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";
import { ToolButton } from "./ToolButton";

export interface ColumnChoice {
  id: string;
  label: string;
  shown: boolean;
  toggle: () => void;
}

export function ColumnMenu({ choices }: { choices: readonly ColumnChoice[] }) {
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <ToolButton label={strings.list.columns} icon={IconColumns3} />
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.CheckboxItem key={choice.id} checked={choice.shown} onChange={choice.toggle}>
            {choice.label}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
