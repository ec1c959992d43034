import { Failure } from '../../order/failure.ts';
import type { StoreMeans } from '../contract.ts';
import { handOver } from './hand-over.ts';

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
