import type { NotGenerated } from '../audit/month/generate-month.ts';
import type { MarkedNothing } from '../audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import { headerWords } from '../audit/month/shop-header.ts';
import { HttpProblem, invalidBody, notFound } from '../http/http-problem.ts';
import { addMonths } from '../law/months.ts';

/** Why no version was made, and what to do. */
export function notMade({ month }: MonthKey, made: NotGenerated): HttpProblem {
  switch (made.kind) {
    case 'blocked':
      return new HttpProblem(
        'month-not-ready',
        `errors or missing exchange rates prevent the file of ${month}: read the month, do what its situation says, and ask again`,
      );
    case 'empty':
      return new HttpProblem('month-empty', `${month} has no order for a file; once the accountant agrees that there is nothing to file, say nothing-to-file`);
    case 'waiting':
      return new HttpProblem(
        'month-not-ready',
        `an order of ${month} was just deleted and its replacement may be on its way: ask again after ${made.until}, or with now: true`,
      );
    case 'not-ended':
      return new HttpProblem('month-not-ready', `${month} is not over; its file can be made from ${addMonths(month, 1)}-01 on`);
    case 'filed':
      return new HttpProblem('month-filed', `the file of ${month} is marked as filed; if the agency or you found errors in it, say rejected and ask again`);
    case 'test-shop':
      return new HttpProblem('month-empty', `a test shop has no files: its orders are no real sales, and nothing of ${month} is to be filed`);
    case 'not-ours':
      return notOurs(month, made.since);
    case 'no-shop':
      return notFound('shop');
  }
}

function notOurs(month: string, since: string): HttpProblem {
  return new HttpProblem('month-not-ours', `the shop is here since ${since}: a file of ${month} is made and filed with the software that it had then`);
}

/** Why the month can't be marked as filed, and what to do. */
export function notFiled({ month }: MonthKey, refused: NotFiled): HttpProblem {
  switch (refused.why) {
    case 'no-file':
      return new HttpProblem(
        'not-found',
        `${month} has no such version of its file; ${refused.last === null ? 'none was made' : `the last one is ${refused.last}`}`,
      );
    case 'already':
      return new HttpProblem('month-filed', `version ${refused.filedVersion} of the file of ${month} is marked as filed; if that is wrong, say rejected first`);
    case 'outdated':
      return new HttpProblem(
        'month-outdated',
        `version ${refused.version} lacks changes of the month: ${refused.changes}${headerWords(refused.header)}. Generate another and file that; only if the agency has this one and it must stay, say asIs: true`,
      );
    case 'outstanding':
      return new HttpProblem(
        'month-incomplete',
        `paid orders of ${month} are not recorded (${refused.outstanding.orders}): record them, generate another version and file that; if it was filed without them, say withoutOutstanding: true`,
      );
    case 'wrong-day':
      return invalidBody([{ path: 'filedOn', message: `must be from ${refused.first}, when the version was made, to ${refused.last}, today` }]);
  }
}

/** Why the month can't be marked as rejected. */
export function notRejected({ month }: MonthKey, refused: NotRejected): HttpProblem {
  if (refused.why === 'too-late')
    return new HttpProblem(
      'month-too-late',
      `orders of ${month} that were deleted since are no longer kept: correct the filed file by hand, with the accountant`,
    );
  return new HttpProblem('month-not-filed', `the file of ${month} is not marked as filed (the month is ${refused.state}), so it can’t be rejected`);
}

/** Why the month can't be settled as empty, and what to do. */
export function notSettled({ month }: MonthKey, refused: Extract<MarkedNothing, { ok: false }>): HttpProblem {
  switch (refused.why) {
    case 'not-ours':
      return notOurs(month, refused.since);
    case 'has-returns':
      return new HttpProblem(
        'month-has-returns',
        `${month} has ${refused.returns} returns, which no file can tell: agree with the accountant how they are accounted for, and say so in the note with withReturns: true`,
      );
    case 'not-ended':
      return new HttpProblem('month-not-ready', `${month} is not over: an order may still come into it`);
    case 'has-file':
      return new HttpProblem('month-not-empty', `a file of ${month} was made: file it, and say filed`);
    case 'has-orders':
      return new HttpProblem('month-not-empty', `${month} has orders: generate its file, and file it`);
    case 'no-shop':
      return notFound('shop');
  }
}
