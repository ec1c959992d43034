import { once } from 'node:events';
import { setPriority } from 'node:os';
import { z } from 'zod';
import { forPeople } from '../../app/addresses.ts';
import { type App, startApp } from '../../app/start-app.ts';
import { type Ground, ground, stopped, stopping, variableMisspelt } from '../../bridge/bridge-events.ts';
import { type Config, consoleUrl, type Role } from '../../config/config.ts';
import { misspeltVariables, misspeltWords } from '../../config/misspelt-variables.ts';
import { offerSetupLink } from '../../operations/people/links.ts';
import { createLog } from '../../platform/log.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { oneLine } from '../../platform/terminal/text-table.ts';
import { serverConfig, serverEnv } from '../server-config.ts';

/** On one machine the answer to a storefront, due in seconds, goes before the submission of its order, which has minutes. */
const WORKER_NICENESS = 10;

export async function start(context: CliContext, { role }: { role: Role }): Promise<void> {
  const config = serverConfig(context, role);
  const isForPeople = (config.logFormat ?? (context.stdout.isTTY === true ? 'text' : 'json')) === 'text';
  const forPeople = { write: (line: string) => printLines(context, [logLine(line)]) };
  const log = createLog({ level: config.logLevel, name: `orderbridge-${role}`, ...(isForPeople ? { destination: forPeople } : {}) });
  if (role === 'worker') setPriority(WORKER_NICENESS);
  ground(log, groundOf(config));
  for (const one of misspeltVariables(serverEnv(context))) variableMisspelt(log, { variable: one.name, meant: one.meant, words: misspeltWords(one) });
  const app = await startApp({ config, role, log });
  if (app.core.key.note !== null) note(context, app.core.key.note);
  // On a terminal alone: whoever reads a log must not become the owner.
  const setupLink = context.stdout.isTTY === true ? await setupLinkLines(app) : [];
  printLines(context, [...(isForPeople ? await readyLines(app, role) : []), ...setupLink]);
  if (!context.signal.aborted) await once(context.signal, 'abort');
  stopping(log, context.signal.reason);
  await app[Symbol.asyncDispose]();
  stopped(log);
}

function groundOf({ database, queue, compliance, dataDir }: Config): Ground {
  return { database: database.kind, dataDir, queue: queue.kind, complianceUrl: compliance.kind === 'embedded' ? null : compliance.baseUrl };
}

/** What a person at a terminal reads when the server is ready: where it is, where its data are, and what comes next. */
async function readyLines({ url, core: { config, connections } }: Pick<App, 'url' | 'core'>, role: Role): Promise<string[]> {
  const { dataDir, database, publicUrl } = config;
  const data = database.kind === 'embedded' ? `data in ${dataDir}` : 'data in the PostgreSQL of DATABASE_URL';
  const next = role === 'compliance' ? './orderbridge service --help' : await nextStep(connections);
  return ['', `orderbridge is ready: ${publicUrl ?? forPeople(url)} · ${data}`, `Next, in another terminal: ${next} · stop with Ctrl-C`, ''];
}

async function nextStep(connections: { list(): Promise<{ closedAt: string | null }[]> }): Promise<string> {
  const isConnected = (await connections.list()).some(({ closedAt }) => closedAt === null);
  return isConnected ? './orderbridge status' : './orderbridge shop create --help, then ./orderbridge connect --help';
}

/** Where the first person makes themselves the owner; nothing if there is somebody, or no console. */
async function setupLinkLines({ consoleUrl: served, core: { pool, config } }: Pick<App, 'consoleUrl' | 'core'>): Promise<string[]> {
  if (served === null) return [];
  const path = await offerSetupLink({ pool });
  return path === null ? [] : [`Set up the console: ${consoleUrl(config) ?? forPeople(served)}${path}`, ''];
}

const line = z.looseObject({ time: z.string(), level: z.string(), msg: z.string().optional(), event: z.string().optional() });
type Line = z.output<typeof line>;

const LOUD = ['warn', 'error', 'fatal'];
/** Told by the rest of the line, or of no use to a person who watches. */
const UNSAID = new Set([
  'time',
  'level',
  'name',
  'msg',
  'event',
  'requestId',
  'client',
  'ms',
  'recordedMs',
  'platform',
  'connection',
  'order',
  'orderId',
  'store',
]);

/** A line of the log for a person at a terminal: "22:13:53 order 1042 in review payment.unmapped corner.example"; what is no line of ours stays as it is. */
export function logLine(json: string): string {
  const parsed = line.safeParse(parsedJson(json));
  if (!parsed.success) return json.trimEnd();
  const { time, level } = parsed.data;
  const at = new Date(time).toTimeString().slice(0, 8);
  return [at, ...(LOUD.includes(level) ? [level.toUpperCase()] : []), ...wordsOf(parsed.data)].filter((word) => word !== '').join(' ');
}

function wordsOf(said: Line): string[] {
  switch (said.event) {
    case 'order.processed':
      return ['order', text(said['orderId'] ?? said['order']), attemptWords(said), text(said['store'])];
    case 'webhook':
      return [said.msg ?? '', text(said['code'] ?? said['what']), said['orderId'] == null ? '' : `order ${text(said['orderId'])}`, text(said['connection'])];
    default:
      return [said.msg ?? said.event ?? '', fieldsOf(said)];
  }
}

function attemptWords({ msg = '', state, detail }: Line): string {
  if (typeof state !== 'string') return msg.replace(/^order /, '');
  return detail == null ? state : `${state} ${text(detail)}`;
}

function fieldsOf(said: Line): string {
  const fields = Object.entries(said).filter(([name, value]) => !UNSAID.has(name) && value != null && value !== '');
  return fields.map(([name, value]) => (name === 'err' ? errorOf(value) : `${name}=${text(value)}`)).join(' ');
}

const described = z.looseObject({ message: z.string() });

function errorOf(value: unknown): string {
  const error = described.safeParse(value);
  return error.success ? `(${oneLine(error.data.message)})` : '';
}

function text(value: unknown): string {
  if (value == null) return '';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function parsedJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return null;
  }
}
