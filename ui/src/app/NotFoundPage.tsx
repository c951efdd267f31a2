// The page of an unknown address.
import { Button } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link } from "react-router";
import { Notice } from "../components/Notice";
import { strings } from "../strings/pt-BR";

export function NotFoundPage() {
  const home = (
    <Button component={Link} to="/">
      {strings.buttons.home}
    </Button>
  );
  return (
    <Notice icon={IconMapOff} title={strings.notFound.title} heading="h1" action={home}>
      {strings.notFound.text}
    </Notice>
  );
}
