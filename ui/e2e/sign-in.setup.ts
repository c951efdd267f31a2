// Signs each person in once; the tests start from the browser state kept here.
import { test } from "./clock";
import { storeSignedIn } from "./signed-in";
import { PEOPLE } from "./team";

for (const person of PEOPLE) {
  test(`${person} signs in`, async ({ browser, baseURL }) => {
    await storeSignedIn(browser, baseURL, person);
  });
}
