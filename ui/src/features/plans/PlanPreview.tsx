// The net of a sale of R$ 100,00 under the fees that are typed so far. The gateway prices it with the function that
// prices real sales.
import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useCommand } from "../../api/hooks";
import type { PlanPreview as Preview } from "../../api/models";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { paymentText } from "../../format/payment";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";
import { CARD_MACHINE_VALUE, type PlanValues, termsBody } from "./planForm";

const words = plansStrings.form;
/** The preview is read once nothing has been typed for this long. */
const PAUSE_MS = 400;

const isCard = (type: string) => type === "credit" || type === "debit";

export function PlanPreview({ values }: { values: PlanValues }) {
  const { run } = useCommand("POST /admin/plans/preview", { refreshes: [] });
  const [typed] = useDebouncedValue(JSON.stringify(termsBody(values)), PAUSE_MS);
  const [preview, setPreview] = useState<Preview>();
  useEffect(() => {
    let current = true;
    run({ body: JSON.parse(typed) }).then(
      (answer) => current && setPreview(answer),
      // The figures are an aid: without them the form still works.
      () => current && setPreview(undefined),
    );
    return () => {
      current = false;
    };
  }, [typed, run]);
  const takesBoleto = values.solution_id !== CARD_MACHINE_VALUE;
  const rows = (preview?.rows ?? []).filter(({ payment_type }) => takesBoleto || payment_type !== "boleto");
  const net = (cents: number | null | undefined) => (cents == null ? words.previewMissing : money(cents));
  return (
    <section aria-label={words.preview}>
      <h3 className={styles.heading}>{words.preview}</h3>
      <p className={styles.note}>{words.previewHint}</p>
      {rows.length > 0 && (
        <ScrollRegion label={words.preview} className={styles.scroll}>
          <table className={`${shared.figures} ${styles.preview}`}>
            <thead>
              <tr>
                <th scope="col">{words.previewPayment}</th>
                <th scope="col">{words.tabVisamaster}</th>
                <th scope="col">{words.tabOthers}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={`${row.payment_type} ${row.installments}`}>
                  <th scope="row">{paymentText(row.payment_type, row.installments)}</th>
                  {isCard(row.payment_type) ? (
                    <>
                      <td>{net(row.visamaster)}</td>
                      <td>{net(row.others)}</td>
                    </>
                  ) : (
                    <td colSpan={2}>{net(row.visamaster)}</td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
    </section>
  );
}
