import { dayName } from '../../../contract/local-text.ts';
import { monthFiledDto, monthNothingDto, monthRejectedDto } from '../../../contract/month-dto.ts';
import type { MonthSeen } from '../../../operations/months/month-report.ts';
import { refusalOfMaking } from '../../../service/audit/month/month-acts.ts';
import { type ActRefusal, refusalText } from '../../../service/audit/summary/month-messages.ts';
import type { Form, PageContext } from '../../base/page.ts';
import type { MonthAct, MonthFormProblem } from './month-forms.ts';
import type { OfMonth } from './of-month.ts';

/** `words`: what the form says, for somebody whose form is stale. `seen`: the month as it is now. */
type Act = { says(form: Form, context: PageContext): string; act(asked: MonthActRequest): Promise<Outcome> };
type MonthActRequest = { of: OfMonth; form: Form; context: PageContext; seen: MonthSeen };
/** Null: it is done. making: it goes on. */
type Outcome = MonthFormProblem | 'making' | null;

/** Anyone who asks for a file is answered after this time, done or not. */
const TIMEOUT_MS = 2_000;

const said = ({ by }: PageContext) => ({ said: { by } });
const isTicked = (form: Form, name: string) => form.text(name) === 'yes';

/** What can be said of a month, or asked for, by a form of its page. */
export const monthActs: Readonly<Record<MonthAct, Act>> = {
  make: {
    says: (_, { words }) => words.month.act.again.button,
    async act({ of: { service, key }, form, context }) {
      const made = await service.months.generate({ ...key, now: isTicked(form, 'now'), timeoutMs: TIMEOUT_MS, ...said(context) });
      const refusal = refusalOfMaking(made);
      if (refusal === null || refusal.why === 'making') return refusal && 'making';
      return problemOf(refusal, context);
    },
  },
  checked: {
    says: (_, { words }) => words.month.checked,
    async act({ of: { service, key }, context, seen }) {
      const checked = await service.months.checked({ ...key, version: seen.last ?? 0, ...said(context) });
      return checked.ok ? null : problemOf(checked, context);
    },
  },
  mail: {
    says: (_, { words }) => words.month.mail,
    async act({ of: { service, key }, context }) {
      const mailed = await service.months.mailed({ ...key, ...said(context) });
      return mailed.ok ? null : problemOf(mailed, context);
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
      if (seen.state !== 'filed') return problemOf({ why: 'not-filed' }, context);
      return markFiled(asked, { version: String(seen.filedVersion), isNumberNeeded: true });
    },
  },
  accepted: {
    says: (_, { words }) => words.month.accepted,
    async act({ of: { service, key }, context }) {
      const accepted = await service.months.accepted({ ...key, ...said(context) });
      return accepted.ok ? null : problemOf(accepted, context);
    },
  },
  rejected: {
    says: (form, { words }) => words.month.stale.rejected(form.text('words')),
    async act({ of: { service, key }, form, context }) {
      const read = monthRejectedDto.safeParse({ words: oneBreak(form.text('words')) });
      if (!read.success) return problemOf({ why: 'unreadable', field: 'words' }, context);
      const rejected = await service.months.rejected({ ...key, ...read.data, ...said(context) });
      return rejected.ok ? null : problemOf(rejected, context);
    },
  },
  nothing: {
    says: (form, { words }) => words.month.stale.nothing(form.text('note')),
    async act({ of: { service, key }, form, context }) {
      const read = monthNothingDto.safeParse({ note: oneBreak(form.text('note')), withReturns: isTicked(form, 'withReturns') });
      if (!read.success) return problemOf({ why: 'unreadable', field: 'note' }, context);
      const settled = await service.months.nothingToFile({ ...key, ...read.data, ...said(context) });
      return settled.ok ? null : problemOf(settled, context);
    },
  },
};

async function markFiled(
  { of: { service, key }, form, context }: MonthActRequest,
  { version, isNumberNeeded }: { version: string; isNumberNeeded: boolean },
): Promise<Outcome> {
  const number = form.text('incomingNumber');
  if (isNumberNeeded && number === '') return problemOf({ why: 'unreadable', field: 'incomingNumber' }, context);
  const read = monthFiledDto.safeParse({
    version: /^\d{1,6}$/.test(version) ? Number(version) : null,
    filedOn: form.text('filedOn'),
    ...(number === '' ? {} : { incomingNumber: number }),
    withoutOutstanding: isTicked(form, 'withoutOutstanding'),
    asIs: isTicked(form, 'asIs'),
  });
  if (read.success) {
    const filed = await service.months.filed({ ...key, ...read.data, ...said(context) });
    return filed.ok ? null : problemOf(filed, context);
  }
  const path = read.error.issues[0]?.path[0];
  return problemOf({ why: 'unreadable', field: path === 'incomingNumber' || path === 'filedOn' ? path : 'version' }, context);
}

/** Browsers send the breaks of a text as two characters. */
function oneBreak(text: string): string {
  return text.replace(/\r\n/g, '\n');
}

function dayOf(form: Form, lang: PageContext['words']['lang']): string {
  const day = form.text('filedOn');
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? dayName(day, lang) : day;
}

/** What a form is sent again with, or which of its fields is wrong. */
const remedies: Readonly<Partial<Record<ActRefusal['why'], Omit<MonthFormProblem, 'problem'>>>> = {
  outstanding: { box: 'withoutOutstanding' },
  outdated: { box: 'asIs' },
  waiting: { box: 'now' },
  'wrong-day': { field: 'filedOn', isInvalid: true },
};

function problemOf(refusal: ActRefusal, { words: { lang } }: PageContext): MonthFormProblem {
  const problem = refusalText(refusal, lang);
  return refusal.why === 'unreadable' ? { problem, field: refusal.field, isInvalid: true } : { problem, ...remedies[refusal.why] };
}
