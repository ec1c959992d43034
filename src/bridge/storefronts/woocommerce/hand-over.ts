import { z } from 'zod';
import { Failure } from '../../order/facts/failure.ts';
import type { StoreMeans } from '../contract.ts';
import type { StoreOnboarding } from '../onboarding.ts';
import { withoutEndSlashes } from '../store-host.ts';

const posted = z.object({
  user_id: z.string().min(1).max(200),
  consumer_key: z.string().regex(/^ck_[0-9a-f]{40}$/),
  consumer_secret: z.string().regex(/^cs_[0-9a-f]{40}$/),
  key_permissions: z.enum(['read', 'write', 'read_write']),
});

/**
 * WooCommerce's page “… would like to connect to your store”. What it posts is unsigned, and names no store: `state` is the only link to what was asked,
 * and keys count when the store that was asked takes them.
 */
export const handOver = {
  address({ url, state, returnUrl, callbackUrl }) {
    const query = new URLSearchParams({ app_name: 'orderbridge', scope: 'read_write', user_id: state, return_url: returnUrl, callback_url: callbackUrl });
    return `${withoutEndSlashes(url)}/wc-auth/v1/authorize?${query}`;
  },
  read(body) {
    const parsed = posted.safeParse(body);
    if (!parsed.success) return null;
    const { user_id: state, consumer_key: consumerKey, consumer_secret: consumerSecret, key_permissions: may } = parsed.data;
    return { state, credentials: { consumerKey, consumerSecret }, mayWrite: may !== 'read' };
  },
} as const satisfies NonNullable<StoreOnboarding['handOver']>;

/** The page for it, the way to its login, or WooCommerce's own refusal. */
const FINE = [200, 302, 303, 307, 401];

/**
 * Whether the page for handing keys over is there. Some hosts refuse an address that contains others: they do so for us as for the browser of the
 * merchant, who would only see their page.
 */
export async function takesHandOver(url: string, { fetchJson }: StoreMeans): Promise<boolean> {
  const { origin } = new URL(url);
  const secure = origin.replace(/^http:/, 'https:');
  try {
    const { status, isChallenge } = await fetchJson({ url: handOver.address({ url, state: 'look', returnUrl: secure, callbackUrl: secure }) });
    return FINE.includes(status) && isChallenge !== true;
  } catch (thrown) {
    if (thrown instanceof Failure) return false;
    throw thrown;
  }
}
