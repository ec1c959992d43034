import { type Config, consoleUrl } from '../config/config.ts';
import { findServer, findServers } from './running-server.ts';

type Where = Pick<Config, 'publicUrl' | 'dataDir' | 'port' | 'host'>;

/** The address at which webhooks arrive: PUBLIC_URL, else that of the running server, else that of the configured host and port. */
export async function webhookBase({ publicUrl, dataDir, port, host }: Where): Promise<string> {
  if (publicUrl !== null) return publicUrl;
  const server = await findServer(dataDir, ['all', 'receiver']);
  if (server === null) return `http://${readableHost(inUrl(host))}:${port}`;
  const { hostname, port: listened } = new URL(server.url);
  return `http://${readableHost(hostname)}:${listened || '80'}`;
}

/** The server on the same data that takes webhooks, else the public address; null: none is known. */
export async function receiverUrl({ publicUrl, dataDir }: Pick<Where, 'publicUrl' | 'dataDir'>): Promise<string | null> {
  return (await findServer(dataDir, ['all', 'receiver']))?.url ?? publicUrl;
}

/** A host as it stands in a URL: an IPv6 address in brackets. */
function inUrl(host: Where['host']): string {
  return host?.includes(':') ? `[${host}]` : (host ?? '');
}

/** All interfaces and the loopback one are `localhost` for people. */
function readableHost(host: string): string {
  return /^(|localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])$/.test(host) ? 'localhost' : host;
}

/** The address at which people reach the console: the one that is published, else that of a running server, else that of the configured port. */
export async function consoleBase(where: Pick<Config, 'publicUrl' | 'consolePublicUrl' | 'consolePort' | 'dataDir' | 'port' | 'host'>): Promise<string> {
  const served = (await findServers(where.dataDir)).flatMap((server) => server.consoleUrl ?? [])[0];
  const own = `http://${inUrl(where.host)}:${where.consolePort ?? where.port}`;
  return consoleUrl(where) ?? forPeople(served ?? own);
}

/** An address of this machine as people type it. */
export function forPeople(address: string): string {
  return address.replace(/^(https?:\/\/)(\[[^\]]*\]|[^:/]*)/, (_whole, scheme: string, host: string) => scheme + readableHost(host));
}
