import { once } from 'node:events';
import { setPriority } from 'node:os';
import { startApp } from '../../app/start-app.ts';
import { type Ground, ground, stopped, stopping, variableMisspelt } from '../../bridge/bridge-events.ts';
import type { Config, Role } from '../../config/config.ts';
import { misspeltVariables, misspeltWords } from '../../config/misspelt-variables.ts';
import { createLog } from '../../platform/log.ts';
import type { CliContext } from '../../platform/terminal/context.ts';
import { note, printLines } from '../../platform/terminal/print.ts';
import { serverConfig, serverEnv } from '../server-config.ts';
import { logLine } from '../text/log-line.ts';
import { readyLines, setupLinkLines } from '../text/ready-text.ts';

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
