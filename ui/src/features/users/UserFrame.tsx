// The page of one user in either panel: the back link, then the user, or why they cannot be shown.
import { Skeleton } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Read } from "../../api/hooks";
import layout from "../../components/Columns.module.css";
import { FailureNotice, Notice } from "../../components/Notice";
import { BackLink, PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.user;
const NOT_FOUND = 404;

interface UserFrameProps<User> {
  /** The list that the page belongs to. */
  home: string;
  read: Read<User>;
  children: (user: User) => ReactNode;
}

export function UserFrame<User>({ home, read, children }: UserFrameProps<User>) {
  const { data, error } = read;
  return (
    <>
      <BackLink to={home} />
      {/* A deleted user is not shown from the cache. */}
      {data && error?.status !== NOT_FOUND ? (
        children(data)
      ) : error ? (
        <Panel label={words.title}>
          {error.status === NOT_FOUND ? (
            <Notice icon={IconUserOff} title={words.missingTitle} heading="h1">
              {words.missing}
            </Notice>
          ) : (
            <FailureNotice failure={error} onRetry={() => void read.mutate()} />
          )}
        </Panel>
      ) : (
        <UserSkeleton />
      )}
    </>
  );
}

function UserSkeleton() {
  return (
    <>
      <PageHeader title={words.title} hint={<Skeleton height={18} width={220} mt={4} />} />
      <div className={layout.columns} role="status" aria-label={strings.loading}>
        <Skeleton height={320} radius={12} />
        <Skeleton height={320} radius={12} />
      </div>
    </>
  );
}
