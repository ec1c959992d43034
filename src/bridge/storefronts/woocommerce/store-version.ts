import { z } from 'zod';
import type { LookProblem } from '../onboarding.ts';
import type { Rest } from './rest.ts';

/**
 * The oldest WooCommerce whose orders can be read by when they changed: 5.8 brought `modified_after` and `dates_are_gmt`. An older one ignores both, and
 * would answer with every order that it ever had. The custom topics, `orderby=modified` and `_fields` are older; newer interfaces can be done without.
 */
export const OLDEST = '5.8';

const system = z.object({ environment: z.object({ version: z.string().min(1).max(40), wp_version: z.string().max(40).catch('') }) });

/** `shop`: of WooCommerce, such as "10.5.0". `words`: with that of WordPress. */
export type StoreVersion = { shop: string; words: string };

/** Null: the store does not say it, such as to a user who may see orders alone. */
export async function storeVersion(rest: Rest): Promise<StoreVersion | null> {
  const { status, body } = (await rest.call({ path: 'system_status?_fields=environment' })).answer;
  const said = status === 200 ? system.safeParse(body).data : undefined;
  if (said === undefined) return null;
  const { version: shop, wp_version: base } = said.environment;
  return { shop, words: [`WooCommerce ${shop}`, ...(base === '' ? [] : [`WordPress ${base}`])].join(', ') };
}

/** What to say of a version that is too old; null: it will do, or is not known. */
export function tooOld(version: StoreVersion | null): LookProblem | null {
  if (version === null || !isBefore(version.shop, OLDEST)) return null;
  return { code: 'shop.old', data: { needed: OLDEST, version: version.shop } };
}

function isBefore(version: string, oldest: string): boolean {
  const [own, least] = [partsOf(version), partsOf(oldest)];
  if (own === null || least === null) return false;
  return own.major < least.major || (own.major === least.major && own.minor < least.minor);
}

function partsOf(version: string): { major: number; minor: number } | null {
  const [, major, minor = '0'] = /^(\d{1,4})(?:\.(\d{1,4}))?/.exec(version) ?? [];
  return major === undefined ? null : { major: Number(major), minor: Number(minor) };
}
