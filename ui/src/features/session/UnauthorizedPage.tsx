// Says why a page did not open, and shows a way back.
import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Link } from "react-router";
import { Notice } from "../../components/Notice";
import { strings } from "../../strings/pt-BR";

export default function UnauthorizedPage() {
  const home = (
    <Button component={Link} to="/">
      {strings.buttons.home}
    </Button>
  );
  return (
    <Notice icon={IconLock} title={strings.unauthorized.title} heading="h1" action={home}>
      {strings.unauthorized.why} {strings.unauthorized.hint}
    </Notice>
  );
}
