import { Failure } from '../../../order/failure.ts';
import type { StoreMeans } from '../../contract.ts';
import type { Looked } from '../../onboarding.ts';
import { SHOP_LIKE, typedShopUrl } from '../shop-url.ts';
import { problemOf, statusProblem } from './problem-of.ts';

/** Whether there is a shop of this name that is open to programs. Custom domains are not called: what answers there proves nothing of the shop. */
export async function look(typed: string, means: StoreMeans): Promise<Looked> {
  const url = typedShopUrl(typed);
  if (url === null) return { ok: false, problem: { code: 'address.other', data: { to: SHOP_LIKE } } };
  try {
    const { status } = await means.fetchJson({ url: `${url}/`, method: 'HEAD' });
    const problem = CLOSED.has(status) || status >= 500 ? statusProblem(status) : null;
    if (problem !== null) return { ok: false, problem };
    return { ok: true, url, home: url, name: null, permalinks: 'pretty', canHandOver: false, notes: [] };
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: problemOf(thrown) };
    throw thrown;
  }
}

/** What the shop's front page answers when nobody can use the shop; other refusals are meant for visitors alone. */
const CLOSED: ReadonlySet<number> = new Set([402, 404, 423]);
