import type { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreAnswer } from '../contract.ts';
import { type StoreDenial, StoreFailure } from '../store-failure.ts';
import { wooCode } from './payload.ts';
import { isNotConsidered, isRedirect, onlyAddsSlash, type Tried } from './rest-way.ts';

const MAKE_ONE = 'under WooCommerce → Settings → Advanced → REST API, and give it with `orderbridge reconnect`';
const NEW_ADDRESS = '`orderbridge reconnect CONNECTION --store-url`';
const PRETTY = 'choose any but “Plain” under Settings → Permalinks';

/** An answer that is no answer to the call, in words that say what to do. They hold nothing of the address that was called: the key may be in it. */
export function restFailure(access: StoreAccess, tried: Tried, method = 'GET'): Failure {
  const { status } = tried.answer;
  const code = isRefused(status) ? 'storefront.refused' : 'storefront.unreachable';
  const words = `the store answered ${status}: ${isRefused(status) ? refusal(access, tried.answer, method) : todo(tried)}`;
  return new StoreFailure(code, words, isRefused(status) ? denialOf(tried.answer) : null);
}

function isRefused(status: number): boolean {
  return status === 401 || status === 403;
}

/** What is not WooCommerce’s own answer came from before it: it says nothing of the key. */
function denialOf({ body }: StoreAnswer): StoreDenial {
  return wooCode(body) === null ? 'blocked' : 'key';
}

function refusal({ url }: StoreAccess, answer: StoreAnswer, method: string): string {
  if (wooCode(answer.body) === null) return 'a firewall, a password or a security plugin is before its REST API; let /wp-json/wc/ through';
  if (answer.status === 403) return `its REST key is refused, as the user of the key may not see orders; make one of a shop manager ${MAKE_ONE}`;
  if (isNotConsidered(answer) && /^http:/i.test(url))
    return `its REST key is refused or not looked at, because it is called over http://; give its https:// address with ${NEW_ADDRESS}, or a new key with \`orderbridge reconnect\``;
  if (method !== 'GET') return `its REST key may only read; make one with Read/Write rights ${MAKE_ONE}`;
  return `its REST key is refused; make one with read rights ${MAKE_ONE}`;
}

function todo({ sent, answer }: Tried): string {
  const { status, body, location } = answer;
  if (onlyAddsSlash(sent, answer)) return `its permalinks are “Plain”; ${PRETTY} in the store, or check the store’s URL`;
  if (isRedirect(status)) return `its address redirects${whereTo(sent, location)}; give the final one (https, with or without www) with ${NEW_ADDRESS}`;
  if (status === 404) return 'no WooCommerce REST API at this address; check the store’s URL, and that permalinks are not set to “Plain”';
  if (status === 400) return `it does not take the request (${/^\w{1,80}$/.exec(wooCode(body) ?? '')?.[0] ?? 'for no reason that it names'})`;
  return 'it is called again later; look at the store’s own log if it lasts';
}

/** The host alone: redirects repeat the query, and keys may be in that. */
function whereTo(sent: string, location: string | undefined): string {
  const to = location === undefined ? null : URL.parse(location, sent);
  return to === null ? '' : ` to ${to.origin}`;
}
