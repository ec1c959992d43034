import { Command } from 'commander';
import type { Core } from '../../app/core.ts';
import type { Connection } from '../../bridge/connections/connection.ts';
import { orderStates } from '../../bridge/order/decisions/order-state.ts';
import type { Storefront } from '../../bridge/storefronts/contract.ts';
import type { OrderReport } from '../../operations/orders/order-report.ts';
import { problemWords, stateName } from '../../operations/words.ts';
import { type CliContext, CliError, cliActor } from '../../platform/terminal/context.ts';
import { note, printJson, printLines } from '../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../platform/terminal/text-table.ts';
import { confirm } from '../input/confirm.ts';
import { readJsonFile } from '../input/read-file.ts';
import { money } from '../text/money.ts';
import { withCore } from '../with-core.ts';

export function sendTestCommand(context: CliContext): Command {
  return new Command('send-test')
    .description(
      'Sends a small paid order to the running server as the store itself would, signed with the connection’s secret, waits up to 30 s, and prints the outcome. ' +
        'It is a real order to orderbridge: unless it is one that is ignored, it becomes a tax record, which must be deleted afterwards. Exit code 1 if it is not recorded.',
    )
    .argument('<connection>', 'id of the connection')
    .option('--order <file>', 'JSON file with a body as the store sends it, instead of a made-up one')
    .option('--yes', 'do not ask, although it becomes a tax record')
    .option('--json', 'print JSON: the order, as `orderbridge order --json` does')
    .action((id: string, options: Options) => withCore(context, (core) => run(context, core, { id, ...options })));
}

export function triggerCommand(context: CliContext): Command {
  return new Command('trigger')
    .description(
      'Sends the running server what a store would send for a topic, signed with the connection’s secret, preceded by what must have come for the same ' +
        'order; waits up to 30 s for each, and prints the outcome. Without a topic it lists those of each platform. Only for stores of the demo ' +
        'and of test shops of our own compliance service: all others, on trial too, have real tax records (`orderbridge send-test`).',
    )
    .argument('[topic]', 'such as refunds/create or order.refunded')
    .option('--connection <id>', 'id of the connection; the first of the demo or of a test shop whose platform has the topic, if left out')
    .option('--json', 'print JSON: the order, as `orderbridge order --json` does')
    .action((topic: string | undefined, options: Triggering) =>
      topic === undefined ? listTopics(context) : withCore(context, (core) => trigger(context, core, { topic, ...options })),
    );
}

type Triggering = { connection?: string; json?: true };

async function listTopics(context: CliContext): Promise<void> {
  const { storefronts } = await import('../../bridge/storefronts/registry.ts');
  const lines = Object.values<Storefront>(storefronts).map(({ name, samples = {} }) => [name, Object.keys(samples).join(', ')] as const);
  printLines(context, textFields(lines));
}

async function trigger(context: CliContext, core: Core, { topic, connection: id, json }: Triggering & { topic: string }): Promise<void> {
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { webhookAddress } = await import('../../operations/connections/store-webhooks.ts');
  const { newTestId, prepareSample, sendTest } = await import('../../operations/orders/send-test.ts');
  const connection = await storeForTests(core, { topic, id });
  const address = webhookAddress(await serverUrl(core), connection);
  const now = Date.now();
  let report: OrderReport | null = null;
  for (const prepared of prepareSample(storefrontOf(storefronts, connection.platform), connection, { topic, id: newTestId(now), now })) {
    report = await sendTest(core, { connectionId: connection.id, prepared, address, by: cliActor(), signal: context.signal });
    if (!json) printLines(context, [`Sent as ${connection.name}; the order is ${stateName(report.state, 'en')}.`]);
  }
  if (json) printJson(context, report);
  else if (report !== null) printLines(context, testOrderLines(report));
}

/** The named one, if its orders are no real tax records, or else the first such whose platform has the topic. */
async function storeForTests(core: Core, { topic, id }: { topic: string; id: string | undefined }): Promise<Connection> {
  const { isDemo } = await import('../../demo/demo-folder.ts');
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { isForTests, notForTests } = await import('../../operations/orders/send-test.ts');
  const has = ({ closedAt, platform }: Connection) => closedAt === null && topic in (storefrontOf(storefronts, platform).samples ?? {});
  const candidates = id === undefined ? (await core.connections.list()).filter(has) : [await knownConnection(core.connections, id)];
  const areAll = await isDemo(core.config);
  for (const one of candidates) if (areAll || (await isForTests(core, one))) return one;
  const [other] = candidates;
  if (other !== undefined) throw notForTests(other);
  throw new CliError(`no connected store sends ${topic}: \`orderbridge trigger\` lists the topics, \`orderbridge connections\` the stores`);
}

type Options = { order?: string; yes?: true; json?: true };

async function run(context: CliContext, core: Core, { id, order: file, yes, json }: Options & { id: string }): Promise<void> {
  const { storefrontOf, storefronts } = await import('../../bridge/storefronts/registry.ts');
  const { knownConnection } = await import('../../operations/connections/known-connection.ts');
  const { webhookAddress } = await import('../../operations/connections/store-webhooks.ts');
  const { newTestId, prepareTest, sendTest } = await import('../../operations/orders/send-test.ts');
  const connection = await knownConnection(core.connections, id);
  const order = file === undefined ? {} : { order: await readJsonFile(context, file) };
  const isOnTrial = connection.trialSince !== null;
  const now = Date.now();
  const prepared = prepareTest(storefrontOf(storefronts, connection.platform), connection, {
    id: newTestId(now),
    now,
    ...order,
  });
  const address = webhookAddress(await serverUrl(core), connection);
  if (yes !== true)
    await confirm(
      context,
      isOnTrial
        ? `${connection.name} is on trial: the order is kept, and becomes a tax record if recording is started from before now. Send it?`
        : `The order becomes a tax record of the shop ${connection.shopId} (${connection.name}), in its month’s file until you delete it. Send it?`,
    );
  const report = await sendTest(core, {
    ...{ connectionId: connection.id, prepared, address, by: cliActor(), signal: context.signal },
    onSent: () => note(context, `Sent to ${address}; waiting for the outcome.`),
  });
  if (json) printJson(context, report);
  else printLines(context, [...testOrderLines(report), ...recordLines(report, core.config.compliance.kind === 'embedded')]);
  if (isOnTrial && report.state === 'ignored') return note(context, 'The store is on trial: the order came, and nothing is submitted.');
  if (report.state !== 'recorded') throw new CliError(`the test order is not recorded: it is ${stateName(report.state, 'en')}`);
}

async function serverUrl({ config }: Core): Promise<string> {
  const { receiverUrl } = await import('../../app/addresses.ts');
  const { noReceiver } = await import('../../operations/tasks/begin-task.ts');
  const url = await receiverUrl(config);
  if (url === null) throw noReceiver();
  return url;
}

/** What became of a test order. */
function testOrderLines(order: OrderReport): string[] {
  const { id, number, orderId, state, review, todo, complianceId } = order;
  const total = money(order.orderTotal, order.currency) ?? 'total not known';
  return textFields([
    ['order', `${number ?? orderId} (id:${id}), ${total}`],
    ['state', `${stateName(state, 'en')}: ${orderStates[state].means}`],
    ...(review === null ? [] : [['why', `${review.code}: ${oneLine(problemWords(review, 'en'))}`] as const]),
    ...(todo === null ? [] : [['to do', todo] as const]),
    ...(complianceId === null ? [] : [['compliance id', complianceId] as const]),
  ]);
}

/** How its record is taken back: those of `trigger` are none that count. */
function recordLines({ complianceId }: OrderReport, isEmbedded: boolean): string[] {
  if (complianceId === null) return [];
  const deletion = isEmbedded ? `\`orderbridge service orders delete ${complianceId}\`` : `delete the record ${complianceId} at the compliance service`;
  const back = 'To take it back, send its refund as the store would (the record is then deleted), or';
  return ['', `It is a tax record now, and counts in its month’s file. ${back}`, `${deletion}.`];
}
