import { Failure } from '../../order/failure.ts';
import type { StoreAnswer, StoreMeans } from '../contract.ts';
import { NoAnswer } from '../no-answer.ts';
import type { LookProblem } from '../onboarding.ts';
import { isRedirect } from './rest-way.ts';

/** What is at the typed address, or where that leads. */
export type Front = { address: URL; answer: StoreAnswer };
export type Unfit = { problem: LookProblem };

const MOST_REDIRECTS = 5;

/** Asks for the head of the page, https first whatever was typed. Each address on the way is checked as it is called. */
export async function frontOf(typed: URL, means: StoreMeans): Promise<Front | Unfit> {
  try {
    return await follow(withScheme(typed, 'https:'), means, MOST_REDIRECTS);
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer) || !(thrown.why === 'no-tls' || (thrown.why === 'refused' && typed.protocol === 'http:'))) throw thrown;
    return await overHttp(typed, means);
  }
}

/** Such a store is called only where nobody is on the way. */
async function overHttp(typed: URL, means: StoreMeans): Promise<Front | Unfit> {
  try {
    return await follow(withScheme(typed, 'http:'), means, MOST_REDIRECTS);
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === 'storefront.refused') return { problem: { code: 'https.missing' } };
    throw thrown;
  }
}

async function follow(address: URL, means: StoreMeans, left: number): Promise<Front | Unfit> {
  const answer = await means.fetchJson({ url: address.href, method: 'HEAD' });
  if (!isRedirect(answer.status) || answer.location === undefined) return { address, answer };
  const to = URL.parse(answer.location, address.href);
  if (left === 0 || to === null || to.href === address.href) return { problem: { code: 'redirects.loop' } };
  return await follow(to, means, left - 1);
}

function withScheme(typed: URL, protocol: string): URL {
  const url = new URL(typed);
  url.protocol = protocol;
  return url;
}
