import type { Config } from '../config/config.ts';
import { consoleUrl } from '../config/console-url.ts';
import { findServers } from './running-server.ts';
import { readableHost } from './webhook-base.ts';

type Where = Pick<Config, 'publicUrl' | 'consolePublicUrl' | 'consolePort' | 'dataDir' | 'port' | 'host'>;

/** The address at which people reach the console: the one that is published, else that of a running server, else that of the configured port. */
export async function consoleBase(where: Where): Promise<string> {
  const served = (await findServers(where.dataDir)).flatMap((server) => server.consoleUrl ?? [])[0];
  const own = `http://${where.host?.includes(':') ? `[${where.host}]` : (where.host ?? '')}:${where.consolePort ?? where.port}`;
  return consoleUrl(where) ?? forPeople(served ?? own);
}

/** An address of this machine as people type it. */
export function forPeople(address: string): string {
  return address.replace(/^(https?:\/\/)(\[[^\]]*\]|[^:/]*)/, (_whole, scheme: string, host: string) => scheme + readableHost(host));
}
