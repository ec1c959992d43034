import { forPeople } from '../../app/console-base.ts';
import type { App } from '../../app/start-app.ts';
import type { Role } from '../../config/config.ts';
import { consoleUrl } from '../../config/console-url.ts';
import { offerSetupLink } from '../../operations/people/setup-link.ts';

/** What a person at a terminal reads when the server is ready: where it is, where its data are, and what comes next. */
export async function readyLines({ url, core: { config, connections } }: Pick<App, 'url' | 'core'>, role: Role): Promise<string[]> {
  const { dataDir, database, publicUrl } = config;
  const data = database.kind === 'embedded' ? `data in ${dataDir}` : 'data in the PostgreSQL of DATABASE_URL';
  const next = role === 'compliance' ? './orderbridge service --help' : await nextStep(connections);
  return ['', `orderbridge is ready: ${publicUrl ?? forPeople(url)} · ${data}`, `Next, in another terminal: ${next} · stop with Ctrl-C`, ''];
}

async function nextStep(connections: { list(): Promise<{ closedAt: string | null }[]> }): Promise<string> {
  const isConnected = (await connections.list()).some(({ closedAt }) => closedAt === null);
  return isConnected ? './orderbridge status' : './orderbridge shop create --help, then ./orderbridge connect --help';
}

/** Where the first person makes himself the owner; nothing if there is somebody, or no console. */
export async function setupLinkLines({ consoleUrl: served, core: { pool, config } }: Pick<App, 'consoleUrl' | 'core'>): Promise<string[]> {
  if (served === null) return [];
  const path = await offerSetupLink({ pool });
  return path === null ? [] : [`Set up the console: ${consoleUrl(config) ?? forPeople(served)}${path}`, ''];
}
