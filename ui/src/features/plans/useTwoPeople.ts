// Whether a change of a plan needs a second person, so that a form can say that it makes a request.
import { useApi } from "../../api/hooks";

export function useTwoPeople(): boolean {
  const { data } = useApi("/admin/settings/platform");
  return data?.data.find(({ key }) => key === "two_person_plan_changes")?.value === true;
}
