import type { App } from '../../app/start-app.ts';
import type { Role } from '../../config/config.ts';

/** What a person at a terminal reads when the server is ready: where it is, where its data are, and what comes next. */
export async function readyLines({ url, core: { config, connections } }: Pick<App, 'url' | 'core'>, role: Role): Promise<string[]> {
  const { dataDir, database, publicUrl } = config;
  const data = database.kind === 'embedded' ? `data in ${dataDir}` : 'data in the PostgreSQL of DATABASE_URL';
  const next = role === 'compliance' ? './orderbridge service --help' : await nextStep(connections);
  const address = url.replace(/127\.0\.0\.1|\[::1?\]|0\.0\.0\.0/, 'localhost');
  return ['', `orderbridge is ready: ${publicUrl ?? address} · ${data}`, `Next, in another terminal: ${next} · stop with Ctrl-C`, ''];
}

async function nextStep(connections: { list(): Promise<{ closedAt: string | null }[]> }): Promise<string> {
  const isConnected = (await connections.list()).some(({ closedAt }) => closedAt === null);
  return isConnected ? './orderbridge status' : './orderbridge shop create --help, then ./orderbridge connect --help';
}
