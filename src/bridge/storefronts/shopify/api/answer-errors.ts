import { z } from 'zod';
import { Failure } from '../../../order/failure.ts';
import { StoreFailure } from '../../store-failure.ts';
import { Denied } from './shop-answered.ts';

/** The errors of an answer whose status is 200. What they say in words is not passed on: it is the shop's text, and may repeat what was sent. */
export const answered = z
  .array(
    z.object({
      path: z.array(z.union([z.string(), z.number()])).nullish(),
      extensions: z.object({ code: z.string().nullish(), typeName: z.unknown().optional(), fieldName: z.unknown().optional() }).nullish(),
    }),
  )
  .nullish()
  .transform((errors) =>
    (errors ?? []).map(({ path, extensions }) => ({ path: path ?? [], code: extensions?.code ?? '', named: [extensions?.typeName, extensions?.fieldName] })),
  );

export type Errors = z.output<typeof answered>;

/** Fields of the buyer, null for apps that may not see them. */
const PERSONAL: ReadonlySet<unknown> = new Set(['email', 'phone', 'firstName', 'lastName', 'billingAddress', 'shippingAddress']);

export function isThrottled(errors: Errors): boolean {
  return errors.some(({ code }) => code === 'THROTTLED');
}

export function isTooDear(errors: Errors): boolean {
  return errors.some(({ code }) => code === 'MAX_COST_EXCEEDED');
}

/** `byApp`: it was requested with a token that the merchant granted to an app, not with one that was typed in. */
type Answered = { errors: Errors; data: unknown; byApp: boolean };

/** What is wrong with an answer; null: nothing, or only that the app may not see the buyer. */
export function failureOf({ errors: all, data, byApp }: Answered): Failure | null {
  const errors = all.filter((error) => !(data && isOfBuyer(error)));
  const [first] = errors;
  if (first === undefined) return null;
  if (errors.some(({ code }) => code === 'ACCESS_DENIED')) return new Denied(DENIED, { byApp });
  const outdated = errors.find(({ code }) => /^[a-z]+([A-Z][a-z]+)+$/.test(code));
  if (outdated !== undefined) return new StoreFailure('storefront.refused', outdatedWords(outdated), null);
  const code = /^[A-Z_]{1,40}$/.test(first.code) ? ` (${first.code})` : '';
  return new Failure('storefront.unreachable', `the shop could not answer the query${code}; it is called again later`);
}

/** Codes of this kind are of the API's schema: no later call ends them, only another release of this program. */
function outdatedWords({ code, named }: Errors[number]): string {
  const names = named.filter((name) => typeof name === 'string' && /^\w{1,60}$/.test(name));
  return `the shop’s API does not take the query (${[code, names.join('.')].filter((part) => part !== '').join(' ')}): its version is another one than this release was made for; upgrade orderbridge, and report it`;
}

/** Were fields of the buyer hidden from the app? */
export function hidesBuyer(errors: Errors): boolean {
  return errors.some(isOfBuyer);
}

function isOfBuyer({ code, path }: Errors[number]): boolean {
  return code === 'ACCESS_DENIED' && path.some((step) => PERSONAL.has(step));
}

const DENIED =
  'the shop denies access to what was queried; grant the app the scope read_orders and, if it is a public one, access to protected customer data, and install it again';
