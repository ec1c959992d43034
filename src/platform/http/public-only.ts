import { lookup as resolveName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export const NOT_PUBLIC = 'it is not a public address (ALLOW_PRIVATE_ADDRESSES is for development)';

/** Whether the host of this URL is a literal address that is not public: such a one is connected to without a look-up. */
export function isPrivateLiteral({ hostname }: URL): boolean {
  // The URL parser has put every spelling of an address (0x7f.1, 2130706433) into its plain form.
  const literal = hostname.replace(/^\[|\]$/g, '');
  return isIP(literal) !== 0 && !isPublicAddress(literal);
}

/**
 * Looks a name up at the moment the socket connects, and gives it public addresses only: the name can't resolve differently between this check and the
 * connection.
 */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolveName(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const allowed = addresses.filter(({ address }) => isPublicAddress(address));
    const [first] = allowed;
    if (first === undefined) return callback(new Error(NOT_PUBLIC), []);
    return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family);
  });
};

const v4 = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'];
const v4Rest = ['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'];
// All public addresses lie in 2000::/3; these parts of it are not public, or hide an IPv4 address.
const v6Special = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const closed = listOf([...v4, ...v4Rest], 'ipv4');
const global6 = listOf(['2000::/3'], 'ipv6');
const closed6 = listOf(v6Special, 'ipv6');

/** True for a public IP address; false for private, local, shared and special ones, and for anything else. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !closed.check(address, 'ipv4');
  return version === 6 && global6.check(address, 'ipv6') && !closed6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [net = '', prefix] = range.split('/');
    list.addSubnet(net, Number(prefix), family);
  }
  return list;
}
