import { lookup as resolveName } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './request-origin.ts';

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
