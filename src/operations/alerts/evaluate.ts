import { type IncidentAlert, type KnownIncident, keyOfCheck, type ReportedCheck, type ReportedIncident } from '../../bridge/alerts/alert.ts';
import type { FailedCheck, HealthStatus } from '../health/health-status.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** What ends sooner is told to nobody. */
const LASTS_MS = 5 * MINUTE_MS;
/** The longest time that an incident which keeps coming back must be away to be over. */
const LONGEST_CALM_MS = 240 * MINUTE_MS;

/** A health status, and the codes whose source did not answer: that one of them is absent does not mean that its incident is over. */
export type KnownHealth = { health: HealthStatus; notAsked: ReadonlySet<string> };

/** `id`: of this round; it becomes the thread of the incidents that it raises. */
export type Round = KnownHealth & { known: readonly KnownIncident[]; now: Date; id: string };

/** `keep`: all incidents to go on with; those of `known` that are not in it are forgotten. `alert` null: there is nothing to tell. */
export type Evaluated = { keep: KnownIncident[]; alert: IncidentAlert | null };

type ReportKind = 'raised' | 'still' | 'resolved' | null;
type Step = { incident: KnownIncident | null; told: ReportKind };

/**
 * One round of alerts. An incident is told when it has lasted 5 minutes, once a day while it lasts, when it becomes failing after it was told as
 * less, and when it is over: away for 5 minutes. One that comes and goes is one incident meanwhile, which neither begins nor ends anew. One
 * that comes back within a day of its end must be away four times as long as before, up to 4 hours: so it is told a few times a day at most.
 */
export function evaluate({ known, health, notAsked, now, id }: Round): Evaluated {
  const seen = checksByKey(health);
  const before = new Map(known.map((incident) => [keyOfCheck(incident.failedCheck), incident]));
  const steps = [...new Set([...seen.keys(), ...before.keys()])].map((key) => {
    const failedCheck = seen.get(key);
    const incident = before.get(key);
    if (failedCheck !== undefined) return present(incident ?? begun(failedCheck, now), failedCheck, { now, id });
    return incident === undefined ? { incident: null, told: null } : absent(incident, { now, wasAsked: !notAsked.has(incident.failedCheck.code) });
  });
  return { keep: steps.flatMap(({ incident }) => incident ?? []), alert: alertOf(steps, health, id) };
}

// The worst is first, and counts if there are two.
function checksByKey({ failedChecks }: HealthStatus): Map<string, ReportedCheck> {
  const byKey = new Map<string, ReportedCheck>();
  for (const failedCheck of failedChecks.map(reportedCheckOf)) if (!byKey.has(keyOfCheck(failedCheck))) byKey.set(keyOfCheck(failedCheck), failedCheck);
  return byKey;
}

/** A failed check in the form in which alerts know it. */
export function reportedCheckOf({ code, subject, level, count, total, since, words, verb }: FailedCheck): ReportedCheck {
  return { code, subject: subject ?? '', level, count, total, since, words, verb };
}

function begun(failedCheck: ReportedCheck, now: Date): KnownIncident {
  const at = now.toISOString();
  const never = { goneAt: null, raisedAt: null, reportedAt: null, reportedLevel: null, resolvedAt: null, thread: null };
  return { failedCheck, beganAt: at, seenAt: at, relapses: 0, ...never };
}

function present(before: KnownIncident, failedCheck: ReportedCheck, { now, id }: { now: Date; id: string }): Step {
  const at = now.toISOString();
  // Between two rounds that are far apart (nobody made one), it may have been away.
  const isAnew = before.resolvedAt !== null || (before.raisedAt === null && since(before.seenAt, now) >= LASTS_MS);
  const incident: KnownIncident = { ...before, ...(isAnew ? anew(before, at) : {}), failedCheck, seenAt: at, goneAt: null };
  const told = { reportedAt: at, reportedLevel: failedCheck.level };
  if (incident.raisedAt === null) {
    if (since(incident.beganAt, now) < LASTS_MS) return { incident, told: null };
    const relapses = incident.thread === null ? 0 : incident.relapses + 1;
    return { incident: { ...incident, ...told, raisedAt: at, relapses, thread: incident.thread ?? id }, told: 'raised' };
  }
  // As failing it is told once, however often it changes: `reportedLevel` stays until the next day's message.
  if (failedCheck.level === 'failing' && incident.reportedLevel === 'attention') return { incident: { ...incident, ...told }, told: 'raised' };
  if (incident.reportedAt === null || since(incident.reportedAt, now) >= DAY_MS) return { incident: { ...incident, ...told }, told: 'still' };
  return { incident, told: null };
}

function anew({ relapses, thread }: KnownIncident, at: string): Partial<KnownIncident> {
  return { beganAt: at, raisedAt: null, reportedAt: null, reportedLevel: null, resolvedAt: null, relapses, thread };
}

function absent(incident: KnownIncident, { now, wasAsked }: { now: Date; wasAsked: boolean }): Step {
  const { resolvedAt, raisedAt, thread } = incident;
  if (resolvedAt !== null) return { incident: since(resolvedAt, now) >= DAY_MS ? null : incident, told: null };
  if (!wasAsked) return { incident, told: null };
  const at = now.toISOString();
  const gone = { ...incident, goneAt: incident.goneAt ?? at };
  const away = since(gone.goneAt, now);
  if (raisedAt === null) {
    if (away < LASTS_MS) return { incident: gone, told: null };
    // It came back, but not for long: that it was told before is still remembered.
    return { incident: thread === null ? null : { ...gone, resolvedAt: at }, told: null };
  }
  return away < calmMs(incident) ? { incident: gone, told: null } : { incident: { ...gone, resolvedAt: at }, told: 'resolved' };
}

function calmMs({ relapses }: KnownIncident): number {
  return Math.min(LASTS_MS * 4 ** relapses, LONGEST_CALM_MS);
}

function since(instant: string, now: Date): number {
  return now.getTime() - Date.parse(instant);
}

function alertOf(steps: readonly Step[], { health, at }: HealthStatus, id: string): IncidentAlert | null {
  const of = (what: ReportKind) => steps.flatMap(({ incident, told }) => (incident !== null && told === what ? [incident] : [])).sort(failingFirst);
  const [raised, still, resolved] = [of('raised'), of('still'), of('resolved')];
  const all = [...raised, ...still, ...resolved];
  if (all.length === 0) return null;
  const threads = [...new Set(all.map(({ thread }) => thread ?? id))];
  return {
    what: 'alert',
    health,
    at,
    raised: raised.map(reportedIncident),
    still: still.map(reportedIncident),
    resolved: resolved.map(reportedIncident),
    threads,
  };
}

function failingFirst(a: KnownIncident, b: KnownIncident): number {
  return Number(b.failedCheck.level === 'failing') - Number(a.failedCheck.level === 'failing');
}

function reportedIncident({ failedCheck, beganAt, goneAt }: KnownIncident): ReportedIncident {
  return { ...failedCheck, beganAt, endedAt: goneAt };
}
