import type { NotGenerated } from '../../../service/audit/month/generate-month.ts';
import type { Mailed } from '../../../service/audit/month/mail-version.ts';
import type { MarkedNothing } from '../../../service/audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../../../service/audit/month/month-acts.ts';
import { dayName, momentName } from '../../frame/parts.ts';
import type { Words } from '../../words/words.ts';
import type { Problem } from './tried.ts';

/** Why a month was not marked as filed. */
export function notFiled(refused: NotFiled, { month: { problem: w }, lang }: Words): Problem {
  switch (refused.why) {
    case 'outstanding':
      return { problem: w.outstanding(refused.outstanding.orders), box: 'withoutOutstanding' };
    case 'outdated':
      return { problem: w.outdated(refused.version, refused.changes), box: 'asIs' };
    case 'wrong-day':
      return { problem: w.wrongDay(dayName(refused.first, lang), dayName(refused.last, lang)), field: 'filedOn', isInvalid: true };
    case 'no-file':
      return { problem: w.noFile };
    case 'already':
      return { problem: w.already };
  }
}

export function notRejected({ why }: NotRejected, { month: { problem: w } }: Words): Problem {
  return { problem: why === 'too-late' ? w.tooLate : w.notFiled };
}

export function notSettled({ why }: Extract<MarkedNothing, { ok: false }>, { month: { problem: w } }: Words): Problem {
  const said = {
    'has-orders': w.hasOrders,
    'has-file': w.hasFile,
    'not-ended': w.notEnded,
    'no-shop': w.noShop,
    'not-ours': w.notOurs,
    'has-returns': w.hasReturns,
  };
  return { problem: said[why] };
}

export function notMailed(refused: Extract<Mailed, { ok: false }>, { month: { problem: w }, lang }: Words): Problem {
  if (refused.why === 'just-mailed') return { problem: w.justMailed(momentName(refused.until, lang)) };
  return { problem: refused.why === 'filed' ? w.already : w.noFile };
}

/** Why no version was made. */
export function notMade(made: NotGenerated, { month: { problem: w }, lang }: Words): Problem {
  switch (made.kind) {
    case 'waiting':
      return { problem: w.waiting(momentName(made.until, lang)), box: 'now' };
    case 'blocked':
      return { problem: w.blocked };
    case 'empty':
      return { problem: w.empty };
    case 'filed':
      return { problem: w.already };
    case 'not-ended':
      return { problem: w.notEnded };
    case 'not-ours':
      return { problem: w.notOurs };
    case 'no-shop':
      return { problem: w.noShop };
    case 'test-shop':
      return { problem: w.testShop };
  }
}
