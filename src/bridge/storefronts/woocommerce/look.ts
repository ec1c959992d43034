import { Failure } from '../../order/failure.ts';
import type { StoreMeans } from '../contract.ts';
import type { Looked, LookNote, LookProblem } from '../onboarding.ts';
import { unanswered } from '../unanswered.ts';
import { findApi } from './look-api.ts';
import { frontOf } from './look-front.ts';
import { takesHandOver } from './takes-hand-over.ts';
import { typedAddress } from './typed-address.ts';

/** Where the store is, whether its REST API is open, and whether it can hand keys over: by what anybody may ask, without a key. */
export async function look(typed: string, means: StoreMeans): Promise<Looked> {
  const address = typedAddress(typed);
  if (address === null) return { ok: false, problem: { code: 'address.invalid' } };
  try {
    return await lookAt(address, means);
  } catch (thrown) {
    if (thrown instanceof Failure) return { ok: false, problem: unanswered(thrown) };
    throw thrown;
  }
}

async function lookAt(typed: URL, means: StoreMeans): Promise<Looked> {
  const front = await frontOf(typed, means);
  if ('problem' in front) return { ok: false, ...front };
  const api = await findApi(front, means);
  if ('problem' in api) return { ok: false, ...api };
  const { base: url, home, name, permalinks } = api;
  const canHandOver = permalinks !== 'plain' && (await takesHandOver(url, means));
  return { ok: true, url, home, name, permalinks, canHandOver, notes: notesOf({ typed, url, permalinks, canHandOver }) };
}

type Noted = { typed: URL; url: string; permalinks: 'pretty' | 'index' | 'plain'; canHandOver: boolean };

function notesOf({ typed, url, permalinks, canHandOver }: Noted): LookProblem<LookNote>[] {
  const { host, origin, protocol } = new URL(url);
  return [
    ...(host === typed.host ? [] : [{ code: 'redirected' as const, data: { to: origin } }]),
    ...(protocol === 'https:' ? [] : [{ code: 'http' as const }]),
    ...(permalinks === 'plain' ? [{ code: 'permalinks.plain' as const }] : []),
    ...(canHandOver || permalinks === 'plain' ? [] : [{ code: 'handover.blocked' as const }]),
  ];
}
