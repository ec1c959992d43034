import { type KnownTrouble, keyOfReason, type ToldReason, type ToldTrouble, type TroubleAlert } from '../../bridge/alerts/alert.ts';
import type { Reason, Verdict } from '../verdict/verdict.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What ends sooner is told to nobody. */
const LASTS_MS = 5 * MINUTE_MS;
/** The longest time that a trouble which keeps coming back must be away to be over. */
const LONGEST_CALM_MS = 240 * MINUTE_MS;

/** A verdict, and the codes whose source did not answer: that one of them is absent does not mean that its trouble is over. */
export type Judgeable = { verdict: Verdict; notAsked: ReadonlySet<string> };

/** `id`: of this look; it becomes the thread of the troubles that it raises. */
export type Look = Judgeable & { known: readonly KnownTrouble[]; now: Date; id: string };

/** `keep`: all troubles to go on with; those of `known` that are not in it are forgotten. `alert` null: there is nothing to tell. */
export type Judged = { keep: KnownTrouble[]; alert: TroubleAlert | null };

type Told = 'raised' | 'still' | 'resolved' | null;
type Step = { trouble: KnownTrouble | null; told: Told };

/**
 * One look at the verdict. A trouble is told when it has lasted 5 minutes, once a day while it lasts, when it becomes failing after it was told as
 * less, and when it is over: away for 5 minutes. One that comes and goes is one trouble meanwhile, which neither begins nor ends anew. One
 * that comes back within a day of its end must be away four times as long as before, up to 4 hours: so it is told a few times a day at most.
 */
export function judge({ known, verdict, notAsked, now, id }: Look): Judged {
  const seen = reasonsByKey(verdict);
  const before = new Map(known.map((trouble) => [keyOfReason(trouble.reason), trouble]));
  const steps = [...new Set([...seen.keys(), ...before.keys()])].map((key) => {
    const reason = seen.get(key);
    const trouble = before.get(key);
    if (reason !== undefined) return present(trouble ?? begun(reason, now), reason, { now, id });
    return trouble === undefined ? { trouble: null, told: null } : absent(trouble, { now, wasAsked: !notAsked.has(trouble.reason.code) });
  });
  return { keep: steps.flatMap(({ trouble }) => trouble ?? []), alert: alertOf(steps, verdict, id) };
}

// The worst is first, and counts if there are two.
function reasonsByKey({ reasons }: Verdict): Map<string, ToldReason> {
  const byKey = new Map<string, ToldReason>();
  for (const reason of reasons.map(toldReasonOf)) if (!byKey.has(keyOfReason(reason))) byKey.set(keyOfReason(reason), reason);
  return byKey;
}

/** A reason in the form in which alerts know it. */
export function toldReasonOf({ code, subject, level, count, total, since, words, verb }: Reason): ToldReason {
  return { code, subject: subject ?? '', level, count, total, since, words, verb };
}

function begun(reason: ToldReason, now: Date): KnownTrouble {
  const at = now.toISOString();
  const never = { goneAt: null, raisedAt: null, toldAt: null, toldLevel: null, resolvedAt: null, thread: null };
  return { reason, beganAt: at, seenAt: at, relapses: 0, ...never };
}

function present(before: KnownTrouble, reason: ToldReason, { now, id }: { now: Date; id: string }): Step {
  const at = now.toISOString();
  // Between two looks that are far apart (nobody looked), it may have been away.
  const isAnew = before.resolvedAt !== null || (before.raisedAt === null && since(before.seenAt, now) >= LASTS_MS);
  const trouble: KnownTrouble = { ...before, ...(isAnew ? anew(before, at) : {}), reason, seenAt: at, goneAt: null };
  const told = { toldAt: at, toldLevel: reason.level };
  if (trouble.raisedAt === null) {
    if (since(trouble.beganAt, now) < LASTS_MS) return { trouble, told: null };
    const relapses = trouble.thread === null ? 0 : trouble.relapses + 1;
    return { trouble: { ...trouble, ...told, raisedAt: at, relapses, thread: trouble.thread ?? id }, told: 'raised' };
  }
  // As failing it is told once, however often it changes: `toldLevel` stays until the next day's message.
  if (reason.level === 'failing' && trouble.toldLevel === 'attention') return { trouble: { ...trouble, ...told }, told: 'raised' };
  if (trouble.toldAt === null || since(trouble.toldAt, now) >= DAY_MS) return { trouble: { ...trouble, ...told }, told: 'still' };
  return { trouble, told: null };
}

function anew({ relapses, thread }: KnownTrouble, at: string): Partial<KnownTrouble> {
  return { beganAt: at, raisedAt: null, toldAt: null, toldLevel: null, resolvedAt: null, relapses, thread };
}

function absent(trouble: KnownTrouble, { now, wasAsked }: { now: Date; wasAsked: boolean }): Step {
  const { resolvedAt, raisedAt, thread } = trouble;
  if (resolvedAt !== null) return { trouble: since(resolvedAt, now) >= DAY_MS ? null : trouble, told: null };
  if (!wasAsked) return { trouble, told: null };
  const at = now.toISOString();
  const gone = { ...trouble, goneAt: trouble.goneAt ?? at };
  const away = since(gone.goneAt, now);
  if (raisedAt === null) {
    if (away < LASTS_MS) return { trouble: gone, told: null };
    // It came back, but not for long: that it was told before is still remembered.
    return { trouble: thread === null ? null : { ...gone, resolvedAt: at }, told: null };
  }
  return away < calmMs(trouble) ? { trouble: gone, told: null } : { trouble: { ...gone, resolvedAt: at }, told: 'resolved' };
}

function calmMs({ relapses }: KnownTrouble): number {
  return Math.min(LASTS_MS * 4 ** relapses, LONGEST_CALM_MS);
}

function since(instant: string, now: Date): number {
  return now.getTime() - Date.parse(instant);
}

function alertOf(steps: readonly Step[], { verdict, at }: Verdict, id: string): TroubleAlert | null {
  const of = (what: Told) => steps.flatMap(({ trouble, told }) => (trouble !== null && told === what ? [trouble] : [])).sort(failingFirst);
  const [raised, still, resolved] = [of('raised'), of('still'), of('resolved')];
  const all = [...raised, ...still, ...resolved];
  if (all.length === 0) return null;
  const threads = [...new Set(all.map(({ thread }) => thread ?? id))];
  return { what: 'alert', verdict, at, raised: raised.map(toldTrouble), still: still.map(toldTrouble), resolved: resolved.map(toldTrouble), threads };
}

function failingFirst(a: KnownTrouble, b: KnownTrouble): number {
  return Number(b.reason.level === 'failing') - Number(a.reason.level === 'failing');
}

function toldTrouble({ reason, beganAt, goneAt }: KnownTrouble): ToldTrouble {
  return { ...reason, beganAt, endedAt: goneAt };
}
