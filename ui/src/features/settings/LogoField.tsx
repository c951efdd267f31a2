// The logo of a tenant. It is saved at once, apart from the form's other fields.
import { Button, FileButton } from "@mantine/core";
import { useState } from "react";
import { succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { ServerMessage } from "../../components/ServerMessage";
import shared from "../../components/Shared.module.css";
import { settingsStrings } from "../../strings/pt-BR.settings";
import styles from "./Tenants.module.css";

const words = settingsStrings.logo;
const REFRESHES = ["/admin/settings/logos", "/admin/settings/history"] as const;
/** The requested width in pixels: twice the width that the style sheet allows, for dense displays. */
const WIDTH = 256;
/** The gateway's limit (LOGO_BYTES_MAX). */
const BYTES_MAX = 1024 * 1024;

/** `label` is the tenant's subdomain; empty for the default tenant. */
export function LogoField({ label, name }: { label: string; name: string }) {
  const logos = useApi("/admin/settings/logos", {});
  const set = useCommand("PUT /admin/settings/logos", { refreshes: REFRESHES });
  const remove = useCommand("DELETE /admin/settings/logos", { refreshes: REFRESHES });
  const url = logos.data?.data.find((logo) => logo.label === label)?.url;
  const query = label ? { label } : {};
  const failure = set.failure ?? remove.failure;
  const [tooLarge, setTooLarge] = useState(false);
  const reset = () => {
    setTooLarge(false);
    set.reset();
    remove.reset();
  };
  const upload = async (file: File | null) => {
    reset();
    // The gateway would refuse a larger file, but only after the upload.
    if (file && file.size > BYTES_MAX) setTooLarge(true);
    else if (file) await succeeds(set.run({ query, body: file }));
  };
  return (
    <fieldset className={styles.logoField}>
      <legend>{words.title}</legend>
      <ServerMessage
        message={tooLarge ? words.tooLarge : failure && (failure.fields.file ?? failure.message)}
        onClose={reset}
      />
      {url && (
        <img
          src={`/api/images?${new URLSearchParams({ url, w: String(WIDTH) })}`}
          alt={words.imageOf(name)}
        />
      )}
      <p>{words.hint}</p>
      <div className={shared.actions}>
        <FileButton
          accept="image/jpeg,image/png"
          onChange={upload}
          inputProps={{ "aria-label": words.upload }}
        >
          {(props) => (
            <Button variant="default" size="xs" loading={set.running} {...props}>
              {words.upload}
            </Button>
          )}
        </FileButton>
        {url && (
          <Button
            variant="default"
            size="xs"
            loading={remove.running}
            onClick={() => void succeeds(remove.run({ query }))}
          >
            {words.remove}
          </Button>
        )}
      </div>
    </fieldset>
  );
}
