// Shown after a 409, because another user saved the record while this form was open. It merges that record into the
// form and lists the changes. Nothing that was typed is lost.
import { useEffect, useState } from "react";
import { strings } from "../../strings/pt-BR";
import shared from "../Shared.module.css";
import styles from "./MergeNotice.module.css";
import { type FieldTexts, type Merge, mergeForms } from "./mergeForms";
import type { AnyValues, Form } from "./useValidatedForm";

const words = strings.merge;

interface MergeNoticeProps<Values extends AnyValues> {
  form: Form<Values>;
  title: string;
  texts: FieldTexts;
  /** The values that the form began with. */
  opened: Values;
  /** The record's values after the other user's change; undefined until a save is refused with a 409. */
  saved: Values | undefined;
  /** The gateway's message about the 409: who changed which fields. */
  message: string | undefined;
  /** Called after the merge. From then on the form edits the saved record. */
  onMerged: () => void;
}

export function MergeNotice<Values extends AnyValues>(props: MergeNoticeProps<Values>) {
  const { form, title, texts, opened, saved, message, onMerged } = props;
  const [shown, setShown] = useState<{ merge: Merge<Values>; message: string | undefined }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each saved record is merged once
  useEffect(() => {
    if (!saved) return;
    const merge = mergeForms(opened, form.getValues(), saved, texts);
    form.setValues(merge.values);
    setShown({ merge, message });
    onMerged();
  }, [saved]);
  if (!shown) return null;
  const { taken, conflicts } = shown.merge;
  return (
    <div role="alert" className={styles.merge} ref={(notice) => notice?.scrollIntoView({ block: "nearest" })}>
      <h3 className={styles.heading}>{title}</h3>
      {shown.message && <p>{shown.message}</p>}
      {taken.length > 0 && <p>{words.taken(taken.join(", "))}</p>}
      {conflicts.length > 0 && (
        <>
          <p>{words.kept}</p>
          <table className={shared.figures}>
            <thead>
              <tr>
                <th scope="col">{words.field}</th>
                <th scope="col">{words.saved}</th>
                <th scope="col">{words.typed}</th>
              </tr>
            </thead>
            <tbody>
              {conflicts.map(({ field, label, saved: theirs, typed }) => (
                <tr key={field}>
                  <th scope="row">{label}</th>
                  <td>{theirs}</td>
                  <td>{typed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}
