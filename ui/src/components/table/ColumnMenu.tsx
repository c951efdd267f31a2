// The menu that shows and hides a table's columns.
import { Button, Menu } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { strings } from "../../strings/pt-BR";

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
        <Button variant="default" size="sm" leftSection={<IconColumns3 size={16} aria-hidden />}>
          {strings.list.columns}
        </Button>
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
