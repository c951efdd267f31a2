// Shown after a 409, because another user saved the plan while this form was open. It merges the saved plan into the
// form and lists the changes. Nothing that was typed is lost.
import { useEffect, useState } from "react";
import type { AnyValues, Form } from "../../components/forms/useValidatedForm";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";
import { type Merge, mergeForms } from "./planMerge";

const words = plansStrings.merge;

interface MergeNoticeProps<Values extends AnyValues> {
  form: Form<Values>;
  /** The values of the plan that the form began with. */
  opened: Values;
  /** The plan's values after the other user's change; undefined until a save is refused with a 409. */
  saved: Values | undefined;
  /** The gateway's message about the 409: who changed which fields. */
  message: string | undefined;
  /** Called after the merge. From then on the form edits the saved plan. */
  onMerged: () => void;
}

export function MergeNotice<Values extends AnyValues>(props: MergeNoticeProps<Values>) {
  const { form, opened, saved, message, onMerged } = props;
  const [shown, setShown] = useState<{ merge: Merge<Values>; message: string | undefined }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each saved plan is merged once
  useEffect(() => {
    if (!saved) return;
    const merge = mergeForms(opened, form.getValues(), saved);
    form.setValues(merge.values);
    setShown({ merge, message });
    onMerged();
  }, [saved]);
  if (!shown) return null;
  const { taken, conflicts } = shown.merge;
  return (
    <div role="alert" className={styles.merge} ref={(notice) => notice?.scrollIntoView({ block: "nearest" })}>
      <h3 className={styles.heading}>{words.title}</h3>
      {shown.message && <p>{shown.message}</p>}
      {taken.length > 0 && <p>{words.taken(taken.join(", "))}</p>}
      {conflicts.length > 0 && (
        <>
          <p>{words.kept}</p>
          <table className={styles.preview}>
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
