import { once } from 'node:events';
import { startApp } from '../app/start-app.ts';
import type { Role } from '../config/config.ts';
import { createLog } from '../platform/log.ts';
import type { CliContext } from './context.ts';
import { readConfig } from './read-config.ts';

/** Runs a role until SIGTERM or SIGINT. */
export async function start(context: CliContext, { role }: { role: Role }): Promise<void> {
  const config = readConfig(context, role);
  const log = createLog({ level: config.logLevel, name: `orderbridge-${role}` });
  if (config.queue.kind === 'postgres') log.info('REDIS_URL is not set: BullMQ runs on the PostgreSQL; for production set REDIS_URL');
  if (config.database.kind === 'embedded') log.info({ dataDir: config.dataDir }, 'DATABASE_URL is not set: an embedded PostgreSQL runs in DATA_DIR');
  const app = await startApp({ config, role, log });
  if (!context.signal.aborted) await once(context.signal, 'abort');
  log.info({ signal: context.signal.reason }, 'stopping: no new work is taken, what runs is finished');
  await app[Symbol.asyncDispose]();
  log.info('stopped');
}
