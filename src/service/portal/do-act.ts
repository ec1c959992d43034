import { z } from 'zod';
import { limits } from '../../contract/limits.ts';
import { incomingNumber } from '../../contract/month-dto.ts';
import { text } from '../../contract/text.ts';
import type { Filed, MonthActs, Rejected } from '../audit/month/month-acts.ts';
import type { MonthKey } from '../audit/month/month-key.ts';
import type { MadeOrMaking } from '../audit/month/month-maker.ts';
import type { ActName, ActRefusal, FormField } from './portal-words.ts';

/** `by`: the link through which it is said, for the trail. */
export type Asked = { act: ActName; key: MonthKey; values: Readonly<Record<string, string>>; by: string };

const ticked = z.literal('yes').optional();
const trimmed = z.string().trim();

const filedForm = z.object({
  version: z.coerce.number().pipe(z.int().min(1)),
  incomingNumber: trimmed.pipe(z.union([z.literal(''), incomingNumber])).default(''),
  filedOn: z.iso.date(),
  withoutOutstanding: ticked,
  asIs: ticked,
});
const rejectedForm = z.object({ words: trimmed.pipe(text(limits.rejectedWords)) });
const nothingForm = z.object({ note: trimmed.pipe(text(limits.nothingNote)), withReturns: ticked });

type Outcome = ActRefusal | null;

/** Does what a form asks for; null if it is done, else why not. */
export function doAct(months: MonthActs, asked: Asked): Promise<Outcome> {
  return acts[asked.act](months, asked);
}

const acts: Readonly<Record<ActName, (months: MonthActs, asked: Asked) => Promise<Outcome>>> = {
  async filed(months, { key, values, by }) {
    const form = filedForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    const { version, incomingNumber: typed, filedOn, withoutOutstanding, asIs } = form.data;
    const boxes = { withoutOutstanding: withoutOutstanding === 'yes', asIs: asIs === 'yes' };
    const number = typed === '' ? {} : { incomingNumber: typed };
    return refusalOf(await months.filed({ ...key, version, filedOn, ...number, ...boxes, said: { by } }));
  },
  async rejected(months, { key, values, by }) {
    const form = rejectedForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    return refusalOf(await months.rejected({ ...key, words: form.data.words, said: { by } }));
  },
  async again(months, { key, by }) {
    return refusalOfMaking(await months.generate({ ...key, said: { by } }));
  },
  async nothing(months, { key, values, by }) {
    const form = nothingForm.safeParse(values);
    if (!form.success) return unreadable(form.error);
    const marked = await months.nothingToFile({ ...key, note: form.data.note, withReturns: form.data.withReturns === 'yes', said: { by } });
    return marked.ok ? null : { why: marked.why };
  },
};

const fields = new Set<unknown>(['version', 'incomingNumber', 'filedOn', 'words', 'note'] satisfies FormField[]);

function unreadable({ issues }: z.ZodError): ActRefusal {
  const field = issues.map(({ path }) => path[0]).find(isField);
  return { why: 'unreadable', field: field ?? 'version' };
}

function isField(name: unknown): name is FormField {
  return fields.has(name);
}

function refusalOf(marked: Filed | Rejected): Outcome {
  if (marked.ok) return null;
  return marked.why === 'outstanding' ? { why: 'outstanding', orders: marked.outstanding.orders } : marked;
}

function refusalOfMaking(generation: MadeOrMaking): Outcome {
  switch (generation.kind) {
    case 'generated':
      return null;
    case 'waiting':
      return { why: 'waiting', until: generation.until };
    default:
      return { why: generation.kind };
  }
}
