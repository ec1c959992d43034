import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const ENCRYPTED = new Set(['https:', 'smtps:']);
const PRIVATE = ['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', '::1/128', 'fc00::/7', 'fe80::/10'];

const near = new BlockList();
for (const range of PRIVATE) {
  const [net = '', prefix] = range.split('/');
  near.addSubnet(net, Number(prefix), net.includes(':') ? 'ipv6' : 'ipv4');
}

/**
 * Whether keys and buyers' data may be sent to this address: encrypted, or in the clear to this machine, a private address, or a host of
 * `trusted` (in lower case). Another name proves nothing about where it leads, a short one neither.
 */
export function mayCarrySecrets(address: string, trusted: readonly string[], own = ownAddresses): boolean {
  const url = URL.parse(address);
  if (url === null) return false;
  if (ENCRYPTED.has(url.protocol)) return true;
  const host = hostOf(url);
  return isThisMachine(host) || isPrivate(host) || trusted.some((one) => withoutBrackets(one) === host) || own().includes(host);
}

/** What to do about an address that may not; null if it may. */
export function insecureWords(address: string, trusted: readonly string[]): string | null {
  if (mayCarrySecrets(address, trusted)) return null;
  const host = URL.parse(address)?.host ?? 'this address';
  return `${host} is called over http://, where everybody on the way can read the keys: use https://, or name the host in TRUSTED_HTTP_HOSTS if the way to it is private`;
}

// The URL parser puts every spelling of an address (0x7f.1, 2130706433) into its plain form, but for schemes that it does not know.
function hostOf({ hostname }: URL): string {
  return withoutBrackets(hostname.toLowerCase()).replace(/\.$/, '');
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function isThisMachine(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

// What this machine sends to an address of its own does not leave it, such as to the embedded service at a public HOST.
function ownAddresses(): string[] {
  try {
    return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address.toLowerCase()));
  } catch {
    // A sandbox without AF_NETLINK: they are unknown.
    return [];
  }
}

function isPrivate(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && near.check(host, version === 4 ? 'ipv4' : 'ipv6');
}
