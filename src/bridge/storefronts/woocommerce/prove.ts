import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import type { LookProblem, Proved } from '../onboarding.ts';
import { unanswered } from '../unanswered.ts';
import { statusProblem } from './look-problem.ts';
import { wooCode } from './payload.ts';
import { restOf } from './rest.ts';
import { isNoApi, isNotConsidered, redirectOrigin, type Tried } from './rest-way.ts';
import { storeVersion, tooOld } from './store-version.ts';

/** Reads one order and the version with the key, and tries whether it may write, by a webhook without topic and address, which no store takes. */
export async function prove(access: StoreAccess, means: StoreMeans): Promise<Proved> {
  try {
    const rest = restOf(access, means);
    const tried = await rest.call({ path: `orders?per_page=1&_fields=id&${rest.uncached}` });
    const { status, body } = tried.answer;
    if (status !== 200 || !Array.isArray(body)) return { ok: false, problem: problemOf(tried) };
    const version = await storeVersion(rest);
    const old = tooOld(version);
    if (old !== null) return { ok: false, problem: old };
    const written = (await rest.call({ path: 'webhooks', method: 'POST', body: {} })).answer;
    const notes = tried.way.auth === 'query' ? [{ code: 'header.stripped' as const }] : tried.way.auth === 'oauth' ? [{ code: 'http' as const }] : [];
    // A guard that refuses to take it is as good as a key that may only read: the webhooks are made by hand.
    return { ok: true, mayWrite: written.status !== 401 && written.status !== 403, version: version?.words ?? null, notes };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: thrown.code === 'storefront.refused' ? { code: 'keys.refused' } : unanswered(thrown) };
    throw thrown;
  }
}

function problemOf({ sent, answer }: Tried): LookProblem {
  const { status, body } = answer;
  const code = wooCode(body) ?? '';
  if (isNotConsidered(answer)) return { code: 'keys.unseen' };
  if (code.startsWith('woocommerce_rest_')) return { code: status === 403 ? 'keys.user' : 'keys.refused' };
  const to = redirectOrigin({ sent, answer });
  if (to !== null) return { code: 'redirects.api', data: { to } };
  const stranger: LookProblem = isNoApi({ sent, answer }) ? { code: 'rest.html' } : { code: 'broken', data: { status: String(status) } };
  return statusProblem(answer) ?? stranger;
}
