import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { runKinds } from '../app/run-kinds.ts';
import { findOrder } from '../bridge/ledger/orders/read-orders.ts';
import { type Config, SHORTEST_ADMIN_TOKEN } from '../config/config.ts';
import { readConfig } from '../config/load-config.ts';
import { bulkActions } from '../operations/bulk-actions.ts';
import { decideMany } from '../operations/orders/decide-many.ts';
import { addPerson } from '../operations/people/people.ts';
import { receiptsOf, showReceipt } from '../operations/service/receipts.ts';
import { createLog, type Log } from '../platform/log.ts';
import { type CliContext, CliError } from '../platform/terminal/context.ts';
import { foldLine, terminalWidth, textTable } from '../platform/terminal/text-table.ts';
import { type Place, preparePlace, SETTINGS } from './demo-folder.ts';
import { type DemoStore, demoStores } from './demo-stores.ts';
import { type DemoTime, demoClock, demoTime } from './demo-time.ts';
import { inLanguage } from './demo-words.ts';
import { type DemoWorld, OWNER, startDemoWorld } from './demo-world.ts';
import { BY_DEMO, playPast } from './linden-store.ts';
import { type DemoRun, playStories, type StoryOutcome } from './play-stories.ts';
import { createProgress } from './progress.ts';
import { coffeeOrder, coffeeWebhook } from './standard-stories.ts';
import { startStoreApi } from './store-api.ts';
import { now, type StoryWebhook, stateText } from './story.ts';
import { type WooBasket, type WooItem, wooOrder } from './woocommerce-stories.ts';

export type DemoOptions = {
  /** Take everything down at the end, instead of staying up until a signal. */
  once: boolean;
  /** The folder stays. */
  keep?: boolean;
  stores?: readonly DemoStore[];
};

const LOG_FILE = 'demo.log';

/** Plays the whole demo and prints it. Throws `CliError` if an order did not end as it should. */
export async function runDemo(context: CliContext, { once: isOnce, keep = false, ...given }: DemoOptions): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const progress = createProgress(context);
  const dataDir = await mkdtemp(join(tmpdir(), 'orderbridge-demo-'));
  const place = await preparePlace(context, dataDir);
  resources.defer(async () => {
    if (keep) progress.say(keptWords(place).join('\n'));
    else await rm(dataDir, { recursive: true, force: true });
  });
  const config = await demoConfig(context, dataDir);
  progress.say(`orderbridge demo: ${isOnce ? 'three' : 'four'} shops, their webhooks, and a compliance service, all in this process and a scratch folder.\n`);
  const log = openLog(join(dataDir, LOG_FILE), config.logLevel, resources);
  const clock = demoClock();
  const world = resources.use(
    await progress.during('PostgreSQL, queues, webhook receiver, workers and compliance service are up', startDemoWorld(config, log, clock)),
  );
  const { LC_ALL, LC_MESSAGES, LANG } = context.env;
  const lang = (LC_ALL ?? LC_MESSAGES ?? LANG ?? '').startsWith('bg') ? 'bg' : 'en';
  const owner = { email: OWNER, name: 'Demo', role: 'owner', shops: null, lang, by: BY_DEMO } as const;
  if (!isOnce) await addPerson(world.app.core, owner);
  const stores = inLanguage(storesOf(given.stores, isOnce), lang);
  const storeApi = resources.use(await startStoreApi(stores.filter(({ platform }) => platform === 'woocommerce')));
  const run: DemoRun = { world, progress, signal: context.signal, storeApi, lang };
  const linden = isOnce
    ? null
    : await progress.during(`${inLanguage('Липа', lang)}, candles on WooCommerce: the two months before, one filed, one to file`, playPast(run, clock));

  const outcomes = await playStories(run, stores);

  progress.say(`\n${ordersTable(outcomes, terminalWidth(context.stdout)).join('\n')}`);
  if (linden !== null && !context.signal.aborted) {
    await resolveOne(world, outcomes);
    const receipt = await keepReceipt(world, { shop: linden.shopId, dataDir });
    const adminToken = config.adminToken?.reveal() ?? '';
    progress.say(whereToLook({ url: world.app.url, adminToken, ...place, outcomes, receipt, candles: linden.name }).join('\n'));
    await once(context.signal, 'abort');
    progress.say(`\nStopping; the scratch folder ${keep ? 'stays' : 'is removed'}.`);
  }
  const wrong = outcomes.filter(({ result }) => result.faults.length > 0).length;
  if (wrong > 0) throw new CliError(`${wrong} of ${outcomes.length} orders did not end as they should; the faults are listed below the table`);
}

function storesOf(given: readonly DemoStore[] | undefined, isOnce: boolean): readonly DemoStore[] {
  if (given !== undefined) return given;
  const time = demoTime(Date.now());
  return isOnce ? demoStores(time) : withCrowds(demoStores(time), time);
}

/** The terminal shows the story; the JSON lines of the log go into a file. */
function openLog(path: string, level: Parameters<typeof createLog>[0]['level'], resources: AsyncDisposableStack): Log {
  const file = createWriteStream(path);
  resources.defer(async () => {
    file.end();
    await finished(file);
  });
  return createLog({ level, name: 'orderbridge-demo', destination: file });
}

/** `width`: the columns of the terminal; undefined: it is none. A row for each order, then the faults of those that did not end as they should. */
function ordersTable(outcomes: readonly StoryOutcome[], width: number | undefined): string[] {
  const rows = outcomes.map(({ store, story, result: { ended, faults } }) => [
    faults.length === 0 ? '✓' : '✗',
    `${store.platform} ${story.number}`,
    story.what,
    stateText(ended),
    ended.total,
    story.ends.total,
  ]);
  const faulty = outcomes.filter(({ result }) => result.faults.length > 0);
  const lines = [
    ...textTable([' ', 'order', 'what happened', 'state', 'recorded', 'expected'], rows, { width, keep: [' ', 'recorded', 'expected'] }),
    '',
    'recorded: the total that is recorded at the compliance service, the same as in our ledger, in EUR with VAT.',
    `${outcomes.length - faulty.length} of ${outcomes.length} orders ended as they should.`,
    ...faulty.map(({ store, story, result }) => `✗ ${store.platform} ${story.number}: ${result.faults.join('; ')}`),
  ];
  return width === undefined ? lines : lines.flatMap((line) => foldLine(line, width));
}

/** How to go on with the folder of a demo that is over. */
function keptWords({ dataDir, program }: Place): string[] {
  return [
    `The folder is kept: ${dataDir}`,
    `Go on with it:  cd ${dataDir} && ${program} start`,
    `Sign in again:  ${program} people reset ${OWNER}   (prints a link)`,
  ];
}

/** `receipt`: the file of a document that a buyer got. `candles`: the store with months behind it. */
type Places = Place & { url: string; adminToken: string; outcomes: readonly StoryOutcome[]; receipt: string; candles: string };

/** What to look at and try while the demo runs. */
function whereToLook({ url, adminToken, dataDir, program, outcomes, receipt, candles }: Places): string[] {
  const richest = outcomes.toSorted((a, b) => b.story.webhooks.length - a.story.webhooks.length)[0];
  return [
    '',
    'Open the console; a browser on this machine is signed in:',
    '',
    `  ${url}/console`,
    '',
    'A story to finish: Needs review → “econt_pay” has no payment type → Choose: Postal money order → Save and record one order → Release the other 11.',
    `Another: Months → ${candles}, the file of last month → look, download, then say that it is filed.`,
    '',
    'It stays up until Ctrl-C. Look around:',
    `  receipt   ${receipt}   (as the buyer got it by mail)`,
    `  queues    ${url}/admin/queues   user: any, password: ${adminToken}`,
    `  metrics   ${url}/metrics`,
    `  health    ${url}/readyz`,
    `  log       ${join(dataDir, LOG_FILE)}`,
    '',
    'In another terminal:',
    `  cd ${dataDir}   (its .env has the demo’s settings)`,
    ...['status', 'orders', 'review', 'connections', 'doctor'].map((command) => `  ${program} ${command}`),
    `  ${program} trigger refunds/create   (as the Shopify store would tell of an order, and then of its refund)`,
    ...(richest === undefined ? [] : [`  ${program} order ${richest.connectionId} ${richest.story.orderId}   (everything known of one order)`]),
  ];
}

async function resolveOne({ app, queues }: DemoWorld, outcomes: readonly StoryOutcome[]): Promise<void> {
  const connectionId = outcomes.find(({ store }) => store.crowd?.numbers === RESOLVED)?.connectionId;
  const order = connectionId === undefined ? null : await findOrder(app.core.pool, connectionId, RESOLVED);
  if (order === null) return;
  await using jobs = runKinds(app.core, bulkActions(app.core, queues.notify), { onlyAsked: true });
  const why = 'Sold at the fair; it is in the report of the cash register there.';
  await decideMany({ pool: app.core.pool, jobs }, { ids: [order.id], about: `order ${RESOLVED}`, by: BY_DEMO, why, what: 'elsewhere' });
}

/** The document itself, as the buyer has it, in the demo's folder. */
async function keepReceipt({ service }: DemoWorld, { shop, dataDir }: { shop: string; dataDir: string }): Promise<string> {
  const { pool } = service.audit;
  const [newest] = (await receiptsOf({ pool }, { shop, limit: 1 })).receipts;
  if (newest === undefined) throw new Error('no receipt was issued in the demo');
  const path = join(dataDir, 'receipt.html');
  await writeFile(path, (await showReceipt({ pool }, newest.id)).html);
  return path;
}

const stories: WooItem = { id: 78, name: 'Разкази за деца', quantity: 1, net: '16.51', vat: '1.49', rate: 9 };
const guide: WooItem = { id: 79, name: 'Пътеводител „Родопи“', quantity: 2, net: '45.87', vat: '4.13', rate: 9 };
const lamp: WooItem = { id: 80, name: 'Лампа за четене', quantity: 1, net: '20.00', vat: '4.00', rate: 20 };

const baskets: readonly Omit<WooBasket, 'id'>[] = [
  { total: '18.00', items: [stories] },
  { total: '50.00', items: [guide] },
  { total: '42.00', items: [stories, lamp] },
  { total: '24.00', items: [lamp] },
];

/** An order that the demo resolves. */
const RESOLVED = '3005';
const SIMILAR = Array.from({ length: 11 }, (_, index) => 2010 + index);

/** What the console has to show beside the stories: eleven more orders that wait for the answer to 2009, and one whose answer was given. */
function withCrowds(stores: readonly DemoStore[], time: DemoTime): DemoStore[] {
  return stores.map((store) => {
    if (store.platform === 'woocommerce') return { ...store, crowd: { topic: 'order.created', numbers: '2010 to 2020', webhooks: similar(time) } };
    if (store.platform === 'standard') return { ...store, crowd: { topic: 'order.paid', numbers: RESOLVED, webhooks: [fair(time)] } };
    return store;
  });
}

function similar(time: DemoTime): StoryWebhook[] {
  return SIMILAR.flatMap((id, index) => {
    const basket = baskets[index % baskets.length];
    return basket === undefined ? [] : [now('order.created', wooOrder(time, id % 100, { id, ...basket, method: 'econt_pay' }))];
  });
}

/** Its lines are not what was paid. */
function fair(time: DemoTime): StoryWebhook {
  const lines = [{ id: 'a', name: 'Кафе на панаира', quantity: 4, amount: '12.00', vatRate: '20' }];
  return coffeeWebhook('order.paid', coffeeOrder(time, 8, { id: RESOLVED, total: '14.00', lines }));
}

const USUAL_PORT = 3000;

/** Embedded defaults on a scratch folder; of the environment only PORT, ADMIN_TOKEN (if it is long enough) and LOG_LEVEL count. If the default port is taken, a free one is used. */
export async function demoConfig({ env, cwd }: Pick<CliContext, 'env' | 'cwd'>, dataDir: string): Promise<Config> {
  const given = env['PORT'] ? env['PORT'] : null;
  // Said at once, not after everything was started.
  if (given !== null && /^[1-9]\d{0,4}$/.test(given) && !(await isFree(Number(given))))
    throw new CliError(`port ${given} is taken, perhaps by another demo; set PORT to a free one, or leave it out`);
  const demoEnv = {
    PORT: given ?? String((await isFree(USUAL_PORT)) ? USUAL_PORT : 0),
    ADMIN_TOKEN: longEnough(env['ADMIN_TOKEN']) ?? randomBytes(18).toString('base64url'),
    LOG_LEVEL: env['LOG_LEVEL'] ? env['LOG_LEVEL'] : 'warn',
    DATA_DIR: dataDir,
    ...SETTINGS,
  };
  return readConfig({ env: demoEnv, cwd }, 'all');
}

// The demo prints its password: one that would switch the dashboard off is replaced.
function longEnough(token: string | undefined): string | undefined {
  return token !== undefined && token.length >= SHORTEST_ADMIN_TOKEN ? token : undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
