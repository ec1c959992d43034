import { once } from 'node:events';
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { App, AppOptions } from '../../app/start-app.ts';
import type { Ground } from '../../bridge/bridge-events.ts';
import { type Config, consoleUrl, ROLES, type Role } from '../../config/config.ts';
import type { Log } from '../../platform/log.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import type { Traces } from '../../platform/traces.ts';

export function startCommand(context: CliContext): Command {
  return new Command('start')
    .description(
      'Runs orderbridge until it gets SIGTERM or SIGINT: then it finishes running jobs or returns them to the queue, and exits within 30 s. After SIGTERM it takes webhooks for STOP_DELAY_SECONDS before, while `/readyz` is 503. ' +
        'Roles may run in any number of processes, on one DATABASE_URL and one REDIS_URL; only role all may use the embedded PostgreSQL.',
    )
    .addOption(
      new Option(
        '--role <role>',
        'receiver takes webhooks, worker submits, console serves the pages for people, compliance is our own compliance service, all is everything in one process',
      )
        .choices([...ROLES])
        .default('all'),
    )
    .action((options: { role: Role }) => start(context, options));
}

/** Loading the program goes on after this time, also if PostgreSQL does not run by then. */
const BEGIN_MS = 250;

/** On one machine the answer to a storefront, due in seconds, goes before the submission of its order, which has minutes. */
const WORKER_NICENESS = 10;

async function start(context: CliContext, { role }: { role: Role }): Promise<void> {
  const { serverConfig, serverEnv } = await import('../server-config.ts');
  const { logLine } = await import('../text/log-line.ts');
  const { createLog } = await import('../../platform/log.ts');
  const config = serverConfig(context, role);
  const isForPeople = (config.logFormat ?? (context.stdout.isTTY === true ? 'text' : 'json')) === 'text';
  const forPeople = { write: (line: string) => printLines(context, [logLine(line)]) };
  const name = `orderbridge-${role}`;
  // The log comes first: traces may have something to log as they are opened.
  let traces: Traces | null = null;
  const fields = config.traces == null ? {} : { fields: () => traces?.fields() ?? {} };
  const log: Log = createLog({ level: config.logLevel, name, ...fields, ...(isForPeople ? { destination: forPeople } : {}) });
  const begun = await beginPostgres(config, log);
  const { startApp } = await import('../../app/start-app.ts');
  const { ground, stopped, stopping, variableMisspelt } = await import('../../bridge/bridge-events.ts');
  const { misspeltVariables, misspeltWords } = await import('../../config/misspelt-variables.ts');
  const { openTraces } = await import('../../app/traced.ts');
  traces = await openTraces(config, { name, log });
  if (role === 'worker') setPriority(WORKER_NICENESS);
  ground(log, groundOf(config));
  for (const one of misspeltVariables(serverEnv(context))) variableMisspelt(log, { variable: one.name, meant: one.meant, words: misspeltWords(one) });
  context.mayStopLater?.(config.stopDelaySeconds * 1_000);
  const app = await startApp({ config, role, log, traces, ...begun, pid: context.pid });
  if (app.core.keys.note !== null) note(context, app.core.keys.note);
  // On a terminal alone: anyone who reads a log must not become the owner.
  const setupLink = context.stdout.isTTY === true ? await setupLinkLines(app) : [];
  printLines(context, [...(isForPeople ? await readyLines(app, role) : []), ...setupLink]);
  const { outdated } = app.core;
  const end = AbortSignal.any([context.signal, outdated]);
  if (!end.aborted) await once(end, 'abort');
  const isOutdated = end.reason === outdated.reason;
  const mayDrain = isOutdated || end.reason === 'SIGTERM';
  stopping(log, { signal: isOutdated ? null : end.reason, delaySeconds: mayDrain ? config.stopDelaySeconds : 0 });
  // Also after a drain that fails.
  await (mayDrain ? app.drain() : Promise.resolve()).finally(() => app[Symbol.asyncDispose]());
  await traces?.[Symbol.asyncDispose]();
  stopped(log);
  if (isOutdated) throw outdated.reason;
}

/** The embedded PostgreSQL starts while the rest of the program is loaded: loading lets nothing else be done in this process. */
async function beginPostgres({ database, dataDir }: Config, log: Log): Promise<Pick<AppOptions, 'postgres'>> {
  if (database.kind !== 'embedded') return {};
  const { joinEmbeddedPostgres } = await import('../../platform/postgres/embedded-postgres.ts');
  const isBegun = Promise.withResolvers<void>();
  const postgres = joinEmbeddedPostgres({ dataDir, log, onProgram: isBegun.resolve });
  // Who takes it says why it failed. Another process may hold the folder for long.
  await Promise.race([isBegun.promise, postgres.catch(() => undefined), sleep(BEGIN_MS, undefined, { ref: false })]);
  return { postgres };
}

function groundOf({ database, queue, compliance, dataDir }: Config): Ground {
  return { database: database.kind, dataDir, queue: queue.kind, complianceUrl: compliance.kind === 'embedded' ? null : compliance.baseUrl };
}

/** What a person at a terminal reads when the server is ready: where it is, where its data are, and what comes next. */
async function readyLines({ url, core: { config, connections } }: Pick<App, 'url' | 'core'>, role: Role): Promise<string[]> {
  const { forPeople } = await import('../../app/addresses.ts');
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
  const { forPeople } = await import('../../app/addresses.ts');
  const { offerSetupLink } = await import('../../operations/people/links.ts');
  if (served === null) return [];
  const path = await offerSetupLink({ pool });
  return path === null ? [] : [`Set up the console: ${consoleUrl(config) ?? forPeople(served)}${path}`, ''];
}
