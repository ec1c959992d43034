import { forPeople } from '../../app/console-base.ts';
import type { App } from '../../app/start-app.ts';
import type { Role } from '../../config/config.ts';
import { consoleUrl } from '../../config/console-url.ts';
import { offerSetupLink } from '../../operations/people/setup-link.ts';
import type { CliWords } from '../words/en.ts';

/** What a person at a terminal reads when the server is ready: where it is, where its data are, and what comes next. */
export async function readyLines(
  { url, core: { config, connections } }: Pick<App, 'url' | 'core'>,
  role: Role,
  { work: { ready: say } }: CliWords,
): Promise<string[]> {
  const { dataDir, database, publicUrl } = config;
  const data = database.kind === 'embedded' ? say.dataIn(dataDir) : say.dataElsewhere;
  const next = role === 'compliance' ? './orderbridge service --help' : await nextStep(connections, say);
  return ['', say.is(publicUrl ?? forPeople(url), data), say.next(next), ''];
}

async function nextStep(connections: { list(): Promise<{ closedAt: string | null }[]> }, say: CliWords['work']['ready']): Promise<string> {
  const isConnected = (await connections.list()).some(({ closedAt }) => closedAt === null);
  return isConnected ? './orderbridge status' : say.connect;
}

/** Where the first person makes himself the owner; nothing if there is somebody, or no console. */
export async function setupLinkLines(
  { consoleUrl: served, core: { pool, config } }: Pick<App, 'consoleUrl' | 'core'>,
  { work: { ready: say } }: CliWords,
): Promise<string[]> {
  if (served === null) return [];
  const path = await offerSetupLink({ pool });
  return path === null ? [] : [say.setupLink(`${consoleUrl(config) ?? forPeople(served)}${path}`), ''];
}
