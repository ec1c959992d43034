import type { Said } from '../../../../contract/said.ts';
import { Failure } from '../../../order/failure.ts';
import type { AppGrant, Granted } from '../../app-grant.ts';
import { askToken, type TokenAnswer } from './ask-token.ts';
import { codeBody, expiringBody } from './token-bodies.ts';
import { forMerchant } from './token-refusal.ts';

type Means = Parameters<AppGrant['exchange']>[1];

/** The first tokens of a grant. */
export function exchangeCode({ url, code, app }: Parameters<AppGrant['exchange']>[0], means: Means): Promise<Granted> {
  return granted({ url, given: 'code', body: codeBody(app, code) }, means, forMerchant);
}

/** Those of a grant that did not expire so far. A lost answer can be asked for again for seven days. */
export function exchangeToken({ url, token, app }: Parameters<AppGrant['expiring']>[0], means: Means): Promise<Granted> {
  return granted({ url, given: 'token', body: expiringBody(app, token) }, means);
}

type SaidOf = (refusal: Extract<TokenAnswer, { ok: false }>['refusal']) => Said;

async function granted(ask: Parameters<typeof askToken>[0], means: Means, saidOf: SaidOf = ({ said }) => said): Promise<Granted> {
  try {
    const answer = await askToken(ask, means);
    if (answer.ok) return answer;
    return { ok: false, again: !answer.refusal.refused, said: saidOf(answer.refusal) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ok: false, again: true, said: noAnswer };
  }
}

const noAnswer: Said = {
  en: 'the shop gave no answer; try again in a minute',
  bg: 'магазинът не отговори; опитайте отново след минута',
};
