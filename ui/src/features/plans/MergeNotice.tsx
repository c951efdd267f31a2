// After a lost edit: merges the saved plan into the form, and says what changed. Nothing that was typed is lost.
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
  /** The values of the plan now; undefined while no edit was lost. */
  saved: Values | undefined;
  /** Who changed what, as the gateway says it. */
  message: string | undefined;
  /** The form continues from the saved plan. */
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
