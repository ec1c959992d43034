import type { Said } from '../../../../contract/said.ts';
import { Failure } from '../../../order/failure.ts';
import type { AppGrant, Granted } from '../../app-grant.ts';
import type { LookProblem } from '../../onboarding.ts';
import { askToken } from './ask-token.ts';
import { codeBody } from './token-bodies.ts';
import { forMerchant, type TokenRefusal } from './token-refusal.ts';

type Means = Parameters<AppGrant['exchange']>[1];

/** The first tokens of a grant. */
export async function exchangeCode({ url, code, app }: Parameters<AppGrant['exchange']>[0], means: Means): Promise<Granted> {
  try {
    const answer = await askToken({ url, given: 'code', body: codeBody(app, code) }, means);
    if (answer.ok) return answer;
    return { ok: false, again: !answer.refusal.refused, problem: problemOf(answer.refusal), said: forMerchant(answer.refusal) };
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    return { ok: false, again: true, problem: null, said: noAnswer };
  }
}

/** Whoever can mend it is not who would approve again. */
function problemOf({ denial }: TokenRefusal): LookProblem | null {
  if (denial === 'app') return { code: 'app.refused' };
  if (denial === 'frozen') return { code: 'shop.frozen' };
  return denial === 'locked' ? { code: 'shop.locked' } : null;
}

const noAnswer: Said = {
  en: 'the shop gave no answer; try again in a minute',
  bg: 'магазинът не отговори; опитайте отново след минута',
};
