import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import { findServer } from '../../app/running-server.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { Delivery } from '../../bridge/storefronts/contract.ts';
import { storefronts } from '../../bridge/storefronts/registry.ts';
import { storefrontOf } from '../../bridge/storefronts/storefront-of.ts';
import { knownConnection } from '../../operations/connections/known-connection.ts';
import { webhookAddress } from '../../operations/connections/webhook-address.ts';
import type { OrderReport } from '../../operations/orders/order-report.ts';
import { prepareTest, settledTest } from '../../operations/orders/send-test.ts';
import { errorWords } from '../../platform/error-words.ts';
import { type CliContext, CliError } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { confirm } from '../input/confirm.ts';
import { readJsonFile } from '../input/read-json-file.ts';
import { testOrderLines } from '../text/test-order-text.ts';
import { withCore } from '../with-core.ts';

type Options = { order?: string; yes?: true; json?: true };

const WAIT_MS = 30_000;
const LOOK_MS = 200;
const ANSWER_MS = 15_000;
/** By which the clocks of two machines may differ. */
const CLOCKS_MS = 5_000;

/** `orderbridge send-test` */
export function sendTestCommand(context: CliContext): Command {
  return new Command('send-test')
    .description(
      'Sends a small paid order to the running server as the store itself would, signed with the connection’s secret, waits up to 30 s, and prints what became of it. ' +
        'It is a real order to orderbridge: unless it is one that is ignored, it becomes a tax record, which must be deleted afterwards. Exit code 1 if it is not recorded.',
    )
    .argument('<connection>', 'id of the connection')
    .option('--order <file>', 'JSON file with a body as the store sends it, in place of one that is made up')
    .option('--yes', 'do not ask, although it becomes a tax record')
    .option('--json', 'print JSON: the order, as `orderbridge order --json` does')
    .action((id: string, options: Options) => withCore(context, (core) => sendTest(context, core, { id, ...options })));
}

async function sendTest(context: CliContext, core: Core, { id, order: file, yes, json }: Options & { id: string }): Promise<void> {
  const connection = await knownConnection(core.connections, id);
  const order = file === undefined ? {} : { order: await readJsonFile(context, file) };
  const now = Date.now();
  const { orderId, deliveries } = prepareTest(storefrontOf(storefronts, connection.platform), connection, {
    id: `${now}${randomInt(100, 1_000)}`,
    now,
    ...order,
  });
  const address = webhookAddress(await serverUrl(core), connection);
  if (yes !== true) await confirm(context, question(connection));
  for (const delivery of deliveries) await post(address, delivery);
  note(context, `Sent to ${address}; waiting for what becomes of it.`);
  const report = await outcome(context, core, { connectionId: connection.id, orderId, since: new Date(now - CLOCKS_MS).toISOString() });
  if (json) printJson(context, report);
  else printLines(context, testOrderLines(report, { isEmbedded: core.config.compliance.kind === 'embedded' }));
  if (connection.trialSince !== null && report.state === 'ignored') return note(context, 'The store is on trial: the order came, and nothing is submitted.');
  if (report.state !== 'recorded') throw new CliError(`the test order is not recorded: it is ${report.state}`);
}

function question({ name, shopId, trialSince }: Connection): string {
  if (trialSince !== null) return `${name} is on trial: the order is kept, and becomes a tax record if recording is started from before now. Send it?`;
  return `The order becomes a tax record of the shop ${shopId} (${name}), in its month’s file until you delete it. Send it?`;
}

/** The server beside this command, else the public address. */
async function serverUrl({ config }: Core): Promise<string> {
  const url = (await findServer(config.dataDir, ['all', 'receiver']))?.url ?? config.publicUrl;
  if (url === null)
    throw new CliError('no server runs here that could take it: `npm start` starts one; or set PUBLIC_URL to the address of one that runs elsewhere');
  return url;
}

async function post(address: string, { headers, body }: Delivery): Promise<void> {
  const request = { method: 'POST', headers: Object.fromEntries(headers), body: new Uint8Array(body), signal: AbortSignal.timeout(ANSWER_MS) };
  const response = await fetch(address, request).catch((thrown: unknown) => {
    throw new CliError(`${address} does not answer: ${errorWords(thrown)}`);
  });
  const said = (await response.text()).slice(0, 500);
  if (response.status !== 200) throw new CliError(`${address} answered ${response.status}: ${said}`);
}

async function outcome({ signal }: CliContext, core: Core, sent: { connectionId: string; orderId: string; since: string }): Promise<OrderReport> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const report = await settledTest(core, sent);
    if (report !== null) return report;
    if (signal.aborted || performance.now() > deadline) {
      throw new CliError(
        `nothing came of it in ${WAIT_MS / 1000} s; \`orderbridge order ${sent.connectionId} ${sent.orderId}\` shows it later, \`orderbridge doctor\` what is wrong`,
      );
    }
    await sleep(LOOK_MS);
  }
}
