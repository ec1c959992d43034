import type { Said } from '../../../../contract/said.ts';
import { Failure } from '../../../order/failure.ts';
import type { AppGrant, Granted } from '../../app-grant.ts';
import { askToken } from './ask-token.ts';
import { codeBody, expiringBody } from './token-bodies.ts';

type Means = Parameters<AppGrant['exchange']>[1];

/** The first tokens of a grant. */
export function exchangeCode({ url, code, app }: Parameters<AppGrant['exchange']>[0], means: Means): Promise<Granted> {
  return granted({ url, given: 'code', body: codeBody(app, code) }, means);
}

/** Those of a grant that did not expire so far. A lost answer can be asked for again for seven days. */
export function exchangeToken({ url, token, app }: Parameters<AppGrant['expiring']>[0], means: Means): Promise<Granted> {
  return granted({ url, given: 'token', body: expiringBody(app, token) }, means);
}

async function granted(ask: Parameters<typeof askToken>[0], means: Means): Promise<Granted> {
  try {
    const answer = await askToken(ask, means);
    if (answer.ok) return answer;
    const { refused, said } = answer.refusal;
    return { ok: false, again: !refused, said };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ok: false, again: true, said: noAnswer };
  }
}

const noAnswer: Said = {
  en: 'the shop gave no answer; try again in a minute',
  bg: 'магазинът не отговори; опитайте отново след минута',
};
