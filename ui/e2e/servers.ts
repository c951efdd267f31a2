// The gateways under test. Each worker has its own, with its own database, because tests change what their users see.
interface Server {
  url: string;
  /** The folder of the e-mails that the gateway writes instead of sending. */
  mailFolder: string | undefined;
  /** The address of its sandbox: acquirer, bank, and provider of card machines. */
  sandbox: string;
}

function readServers(): Server[] {
  const {
    RAZAO_E2E_URL = "http://localhost:8080",
    RAZAO_E2E_SANDBOX = "http://127.0.0.1:8081",
    RAZAO_MAIL_FOLDER,
  } = process.env;
  const folders = RAZAO_MAIL_FOLDER?.split(",") ?? [];
  const sandboxes = RAZAO_E2E_SANDBOX.split(",");
  return RAZAO_E2E_URL.split(",").map((url, index) => ({
    url,
    mailFolder: folders[index],
    sandbox: sandboxes[index] ?? "",
  }));
}

const servers = readServers();

export const WORKERS = servers.length;

/**
 * The worker's own server. Playwright numbers workers from 0. The tests of one file may run in several workers, and so
 * against several servers.
 */
export const server: Server = (() => {
  const index = Number(process.env.TEST_PARALLEL_INDEX ?? 0);
  const own = servers[index];
  if (!own) throw new Error(`worker ${index} has no server among ${WORKERS}: RAZAO_E2E_URL names them`);
  return own;
})();
