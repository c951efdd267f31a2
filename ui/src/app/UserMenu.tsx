// The menu of the signed-in user.
import { ActionIcon, Avatar, Menu } from "@mantine/core";
import { IconLogout, IconUserCircle } from "@tabler/icons-react";
import { Link } from "react-router";
import { accountCalls, ME } from "../api/accountCalls";
import { useCommand } from "../api/hooks";
import { tenantTimeZone } from "../api/panel";
import { useSession } from "../api/session";
import { TENANT_ZONE, zoneName } from "../format/timeZones";
import { strings } from "../strings/pt-BR";
import { LOGOUT, MY_ACCOUNT } from "./addresses";
import styles from "./UserMenu.module.css";

const words = strings.shell;
/** The zones in this menu, next to the user's own. The page Minha conta has all zones. */
const ZONES: readonly string[] = ["America/Sao_Paulo", "UTC"];

function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  return [parts[0], parts.length > 1 ? parts.at(-1) : ""]
    .map((part) => part?.slice(0, 1).toUpperCase())
    .join("");
}

export function UserMenu() {
  const { user, business } = useSession();
  const { run, running } = useCommand(accountCalls.changeMe, { refreshes: [ME] });
  if (!user) return null;
  const chooseZone = (zone: string) => {
    // After a failed save, the menu still shows the earlier zone.
    run({ body: { time_zone: zone === TENANT_ZONE ? null : zone } }).catch(() => undefined);
  };
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionIcon variant="transparent" size={36} radius="xl" aria-label={words.userMenu(user.name)}>
          <Avatar size={36} radius="xl" classNames={{ placeholder: styles.initials }}>
            {initials(user.name)}
          </Avatar>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={styles.person}>
          <strong>{user.name}</strong>
          <span>{user.email}</span>
          {business && <span>{strings.roles[business.role]}</span>}
        </div>
        <Menu.Divider />
        <Menu.Label>{words.timeZone}</Menu.Label>
        <Menu.RadioGroup value={user.ownTimeZone ?? TENANT_ZONE} onChange={chooseZone}>
          <Menu.RadioItem value={TENANT_ZONE} disabled={running}>
            {words.timeZoneDefault(zoneName(tenantTimeZone))}
          </Menu.RadioItem>
          {[...new Set([...ZONES, ...(user.ownTimeZone ? [user.ownTimeZone] : [])])].map((zone) => (
            <Menu.RadioItem key={zone} value={zone} disabled={running}>
              {zoneName(zone)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component={Link} to={MY_ACCOUNT} leftSection={<IconUserCircle size={16} aria-hidden />}>
          {words.myAccount}
        </Menu.Item>
        <Menu.Item component={Link} to={LOGOUT} leftSection={<IconLogout size={16} aria-hidden />}>
          {words.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
