import { dayName } from '../../../contract/local-text.ts';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import type { MonthSeen } from '../../../operations/months/month-report.ts';
import type { NotGenerated } from '../../../service/audit/month/generate-month.ts';
import type { MarkedNothing } from '../../../service/audit/month/mark-month.ts';
import type { NotFiled, NotRejected } from '../../../service/audit/month/month-acts.ts';
import type { Mailed } from '../../../service/audit/month/month-outbox.ts';
import type { Form, PageContext } from '../../base/page.ts';
import { momentName } from '../../frame/parts.ts';
import type { Words } from '../../messages/messages.ts';
import type { MonthAct, Problem } from './month-forms.ts';
import type { OfMonth } from './of-month.ts';

/** `words`: what the form says, for somebody whose form is stale. `seen`: the month as it is now. */
type Act = { says(form: Form, context: PageContext): string; act(asked: MonthActRequest): Promise<Outcome> };
type MonthActRequest = { of: OfMonth; form: Form; context: PageContext; seen: MonthSeen };
/** Null: it is done. making: it goes on. */
type Outcome = Problem | 'making' | null;

/** Whoever asks for a file is answered after this time, done or not. */
const PATIENCE_MS = 2_000;

const said = ({ by }: PageContext) => ({ said: { by } });
const isTicked = (form: Form, name: string) => form.text(name) === 'yes';

/** What can be said of a month, or asked for, by a form of its page. */
export const monthActs: Readonly<Record<MonthAct, Act>> = {
  make: {
    says: (_, { words }) => words.month.forms.make,
    async act({ of: { service, key }, form, context }) {
      const made = await service.months.generate({ ...key, now: isTicked(form, 'now'), patienceMs: PATIENCE_MS, ...said(context) });
      if (made.kind === 'making') return 'making';
      return made.kind === 'generated' ? null : notMade(made, context.words);
    },
  },
  checked: {
    says: (_, { words }) => words.month.forms.checked,
    async act({ of: { service, key }, context, seen }) {
      const checked = await service.months.checked({ ...key, version: seen.last ?? 0, ...said(context) });
      return checked.ok ? null : { problem: context.words.month.problem.noFile };
    },
  },
  mail: {
    says: (_, { words }) => words.month.forms.mail,
    async act({ of: { service, key }, context }) {
      const mailed = await service.months.mailed({ ...key, ...said(context) });
      return mailed.ok ? null : notMailed(mailed, context.words);
    },
  },
  filed: {
    says: (form, { words }) => words.month.stale.filed(form.text('version'), dayOf(form, words.lang), form.text('incomingNumber')),
    act: (asked) => markFiled(asked, { version: asked.form.text('version'), isNumberNeeded: false }),
  },
  number: {
    says: (form, { words }) => words.month.stale.number(form.text('incomingNumber'), dayOf(form, words.lang)),
    async act(asked) {
      const { seen, context } = asked;
      if (seen.state !== 'filed') return { problem: context.words.month.problem.notFiled };
      return markFiled(asked, { version: String(seen.filedVersion), isNumberNeeded: true });
    },
  },
  accepted: {
    says: (_, { words }) => words.month.stale.accepted,
    async act({ of: { service, key }, context }) {
      const accepted = await service.months.accepted({ ...key, ...said(context) });
      return accepted.ok ? null : { problem: context.words.month.problem.notFiled };
    },
  },
  rejected: {
    says: (form, { words }) => words.month.stale.rejected(form.text('words')),
    async act({ of: { service, key }, form, context }) {
      const read = monthRejectedDto.safeParse({ words: oneBreak(form.text('words')) });
      if (!read.success) return { problem: context.words.month.problem.words, field: 'words', isInvalid: true };
      const rejected = await service.months.rejected({ ...key, ...read.data, ...said(context) });
      return rejected.ok ? null : notRejected(rejected, context.words);
    },
  },
  nothing: {
    says: (form, { words }) => words.month.stale.nothing(form.text('note')),
    async act({ of: { service, key }, form, context }) {
      const read = monthNothingDto.safeParse({ note: oneBreak(form.text('note')), withReturns: isTicked(form, 'withReturns') });
      if (!read.success) return { problem: context.words.month.problem.note, field: 'note', isInvalid: true };
      const settled = await service.months.nothingToFile({ ...key, ...read.data, ...said(context) });
      return settled.ok ? null : notSettled(settled, context.words);
    },
  },
};

async function markFiled(
  { of: { service, key }, form, context }: MonthActRequest,
  { version, isNumberNeeded }: { version: string; isNumberNeeded: boolean },
): Promise<Outcome> {
  const { problem: w } = context.words.month;
  const number = form.text('incomingNumber');
  if (isNumberNeeded && number === '') return { problem: w.number, field: 'incomingNumber', isInvalid: true };
  const read = monthFiledDto.safeParse({
    version: /^\d{1,6}$/.test(version) ? Number(version) : null,
    filedOn: form.text('filedOn'),
    ...(number === '' ? {} : { incomingNumber: number }),
    withoutOutstanding: isTicked(form, 'withoutOutstanding'),
    asIs: isTicked(form, 'asIs'),
  });
  if (read.success) {
    const filed = await service.months.filed({ ...key, ...read.data, ...said(context) });
    return filed.ok ? null : notFiled(filed, context.words);
  }
  const field = String(read.error.issues[0]?.path[0]);
  const problem = { version: w.version, incomingNumber: w.number, filedOn: w.day }[field] ?? w.version;
  return { problem, field, isInvalid: true };
}

/** Browsers send the breaks of a text as two characters. */
function oneBreak(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

function dayOf(form: Form, lang: PageContext['words']['lang']): string {
  const day = form.text('filedOn');
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? dayName(day, lang) : day;
}

/** Why a month was not marked as filed. */
function notFiled(refused: NotFiled, { month: { problem: w }, lang }: Words): Problem {
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

function notRejected({ why }: NotRejected, { month: { problem: w } }: Words): Problem {
  return { problem: why === 'too-late' ? w.tooLate : w.notFiled };
}

function notSettled({ why }: Extract<MarkedNothing, { ok: false }>, { month: { problem: w } }: Words): Problem {
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

function notMailed(refused: Extract<Mailed, { ok: false }>, { month: { problem: w }, lang }: Words): Problem {
  if (refused.why === 'just-mailed') return { problem: w.justMailed(momentName(refused.until, lang)) };
  return { problem: refused.why === 'filed' ? w.already : w.noFile };
}

/** Why no version was made. */
function notMade(made: NotGenerated, { month: { problem: w }, lang }: Words): Problem {
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
