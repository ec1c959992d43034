import type { AlertBody, AlertKind, AlertMessage, Digest, IncidentAlert, ReportedCheck, ReportedIncident } from '../bridge/alerts/alert.ts';
import type { Channel, ChannelResult } from '../bridge/alerts/channels.ts';
import type { KnownIncident } from '../bridge/ledger/alerts/alert-watch.ts';
import { fewOf } from '../operations/health/checks/destinations.ts';
import type { FailedCheck, HealthStatus } from '../operations/health/health-status.ts';
import { addDays, sofiaDay, sofiaTime } from '../service/law/calendar.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** What ends sooner is reported to nobody. */
const LASTS_MS = 5 * MINUTE_MS;
/** The longest time that an incident which keeps coming back must be away to be over. */
const LONGEST_CALM_MS = 240 * MINUTE_MS;

/** A health status, and the codes whose source did not answer: that one of them is absent does not mean that its incident is over. */
export type KnownHealth = { health: HealthStatus; notAsked: ReadonlySet<string> };

/** `id`: of this round; it becomes the thread of the incidents that it raises. */
type Round = KnownHealth & { known: readonly KnownIncident[]; now: Date; id: string };

/** `keep`: all incidents to go on with; those of `known` that are not in it are forgotten. `alert` null: there is nothing to tell. */
type Evaluated = { keep: KnownIncident[]; alert: IncidentAlert | null };

type ReportKind = 'raised' | 'still' | 'resolved' | null;
/** `joined`: names of stores that have it, and had not when it was reported before. */
type Step = { incident: KnownIncident | null; report: ReportKind; joined?: readonly string[] };

/**
 * One round of alerts. An incident is reported when it has lasted 5 minutes, once a day while it lasts, when it becomes failing after it was reported as
 * less, when other stores have it an hour later, which it names, and when it is over: away for 5 minutes. One that comes and goes is one incident meanwhile, which
 * neither begins nor ends anew. One that comes back within a day of its end must be away four times as long as before, up to 4 hours: so it is reported a few
 * times a day at most.
 */
export function evaluate({ known, health, notAsked, now, id }: Round): Evaluated {
  const seen = checksByKey(health);
  const members = new Map(health.failedChecks.map((one) => [keyOfCheck(reportedCheckOf(one)), one.members ?? []]));
  const before = new Map(known.map((incident) => [keyOfCheck(incident.failedCheck), incident]));
  const among = new Set(health.failedChecks.flatMap(({ members = [] }) => members.map((one) => keyOfCheck(reportedCheckOf(one)))));
  const causes = new Set(health.failedChecks.flatMap(({ code, of }) => (of === undefined ? [] : [keyOfCheck({ code, subject: of.cause })])));
  const steps = [...new Set([...seen.keys(), ...before.keys()])].map((key) => {
    const failedCheck = seen.get(key);
    const incident = before.get(key);
    if (failedCheck !== undefined) return present(incident ?? begun(failedCheck, now), { failedCheck, members: members.get(key) ?? [] }, { now, id });
    if (incident === undefined) return { incident: null, report: null };
    // It lasts: among those of other stores, or with so few of the stores that they are reported one by one.
    if (among.has(key) || (causes.has(key) && isReported(incident)))
      return { incident: { ...incident, seenAt: now.toISOString(), goneAt: null }, report: null };
    return absent(incident, { now, wasAsked: !notAsked.has(incident.failedCheck.code) });
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
function reportedCheckOf({ code, subject, level, count, total, since, words, verb, of, members }: FailedCheck): ReportedCheck {
  const stores = members === undefined ? {} : { stores: of?.names.length ?? members.length };
  return { code, subject: subject ?? '', level, count, total, since, words, verb, ...stores };
}

/** The key of an incident: alerts tell failed checks apart by code and subject. */
function keyOfCheck({ code, subject }: Pick<ReportedCheck, 'code' | 'subject'>): string {
  return `${code}\n${subject}`;
}

function begun(failedCheck: ReportedCheck, now: Date): KnownIncident {
  const at = now.toISOString();
  const never = { goneAt: null, raisedAt: null, reportedAt: null, reportedLevel: null, reportedMembers: [], resolvedAt: null, thread: null };
  return { failedCheck, beganAt: at, seenAt: at, relapses: 0, ...never };
}

/** `members`: of the many stores that have one cause. */
type Seen = { failedCheck: ReportedCheck; members: readonly FailedCheck[] };

function present(before: KnownIncident, { failedCheck, members }: Seen, { now, id }: { now: Date; id: string }): Step {
  const at = now.toISOString();
  // Between two rounds that are far apart (nobody made one), it may have been away.
  const isAnew = before.resolvedAt !== null || (before.raisedAt === null && since(before.seenAt, now) >= LASTS_MS);
  const incident: KnownIncident = { ...before, ...(isAnew ? anew(before, at) : {}), failedCheck, seenAt: at, goneAt: null };
  const reported = { reportedAt: at, reportedLevel: failedCheck.level, reportedMembers: members.map(subjectOf) };
  if (incident.raisedAt === null) {
    if (since(incident.beganAt, now) < LASTS_MS) return { incident, report: null };
    const relapses = incident.thread === null ? 0 : incident.relapses + 1;
    return { incident: { ...incident, ...reported, raisedAt: at, relapses, thread: incident.thread ?? id }, report: 'raised' };
  }
  const ago = incident.reportedAt === null ? DAY_MS : since(incident.reportedAt, now);
  const known = new Set(incident.reportedMembers);
  const others = known.size === 0 ? [] : members.filter((one) => !known.has(subjectOf(one)));
  // One that comes and goes is named once a day.
  const all = { ...reported, reportedMembers: [...known, ...others.map(subjectOf)] };
  const joined = others.flatMap(({ of }) => of?.names ?? []);
  if (isWorse(incident) || (ago >= HOUR_MS && joined.length > 0)) return { incident: { ...incident, ...all }, report: 'raised', joined };
  return ago >= DAY_MS ? { incident: { ...incident, ...reported }, report: 'still' } : { incident, report: null };
}

/** Names are not unique, and change. */
function subjectOf({ subject }: FailedCheck): string {
  return subject ?? '';
}

/** As failing it is reported once, however often it changes: `reportedLevel` stays until the next day's message. */
function isWorse({ failedCheck: { level }, reportedLevel }: KnownIncident): boolean {
  return level === 'failing' && reportedLevel === 'attention';
}

function anew({ relapses, thread }: KnownIncident, at: string): Partial<KnownIncident> {
  return { beganAt: at, raisedAt: null, reportedAt: null, reportedLevel: null, reportedMembers: [], resolvedAt: null, relapses, thread };
}

function isReported({ raisedAt, resolvedAt }: KnownIncident): boolean {
  return raisedAt !== null && resolvedAt === null;
}

function absent(incident: KnownIncident, { now, wasAsked }: { now: Date; wasAsked: boolean }): Step {
  const { resolvedAt, raisedAt, thread } = incident;
  if (resolvedAt !== null) return { incident: since(resolvedAt, now) >= DAY_MS ? null : incident, report: null };
  if (!wasAsked) return { incident, report: null };
  const at = now.toISOString();
  const gone = { ...incident, goneAt: incident.goneAt ?? at };
  const away = since(gone.goneAt, now);
  if (raisedAt === null) {
    if (away < LASTS_MS) return { incident: gone, report: null };
    // It came back, but not for long: that it was reported before is still remembered.
    return { incident: thread === null ? null : { ...gone, resolvedAt: at }, report: null };
  }
  return away < calmMs(incident) ? { incident: gone, report: null } : { incident: { ...gone, resolvedAt: at }, report: 'resolved' };
}

function calmMs({ relapses }: KnownIncident): number {
  return Math.min(LASTS_MS * 4 ** relapses, LONGEST_CALM_MS);
}

function since(instant: string, now: Date): number {
  return now.getTime() - Date.parse(instant);
}

function alertOf(steps: readonly Step[], { health, at }: HealthStatus, id: string): IncidentAlert | null {
  const of = (what: ReportKind) =>
    steps.flatMap(({ incident, report, joined = [] }) => (incident !== null && report === what ? [withJoined(incident, joined)] : [])).sort(failingFirst);
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

function withJoined(incident: KnownIncident, joined: readonly string[]): KnownIncident {
  const { failedCheck } = incident;
  return joined.length === 0 ? incident : { ...incident, failedCheck: { ...failedCheck, words: `${failedCheck.words} New among them: ${fewOf(joined)}.` } };
}

function failingFirst(a: KnownIncident, b: KnownIncident): number {
  return Number(b.failedCheck.level === 'failing') - Number(a.failedCheck.level === 'failing');
}

function reportedIncident({ failedCheck, beganAt, goneAt }: KnownIncident): ReportedIncident {
  return { ...failedCheck, beganAt, endedAt: goneAt };
}

/** What one round leaves behind. `digestOn`: the day whose digest is among the messages; null: none is. `report` null: no incident is reported. */
export type Decided = { keep: readonly KnownIncident[]; messages: readonly AlertMessage[]; digestOn: string | null; report: IncidentAlert | null };

/** What was known before it. `digestOn`: the day of the last digest. */
type Before = { known: readonly KnownIncident[]; digestOn: string | null };

type RoundDeps = {
  ledger: {
    /** Writes what `decide` says in one transaction with what it was decided from; false: another process does. */
    round(decide: (before: Before) => Decided, now: Date): Promise<boolean>;
    /** What happened on a day of Europe/Sofia, and what waits now. */
    counts(day: string): Promise<Digest['counts']>;
    digestOn(): Promise<string | null>;
  };
  channels: readonly string[];
  digestAt: string | null;
  newId(): string;
};

/** Evaluates a health status, and puts what is to be reported into the outbox. Returns what was decided; null: another process does. */
export async function round(deps: RoundDeps, { health, notAsked }: KnownHealth, now: Date): Promise<Decided | null> {
  const { ledger, channels, digestAt, newId } = deps;
  const day = digestDue({ digestAt, madeOn: digestAt === null ? null : await ledger.digestOn(), now });
  const counts = day === null ? null : await ledger.counts(addDays(day, -1));
  let decided: Decided | null = null;
  const isOurs = await ledger.round(({ known, digestOn }) => {
    const { keep, alert } = evaluate({ known, health, notAsked, now, id: newId() });
    // Another process may have made it since.
    const isDue = day !== null && counts !== null && (digestOn === null || digestOn < day);
    const bodies = [...(alert === null ? [] : [alert]), ...(isDue ? [digestOf(health, { day: addDays(day, -1), counts })] : [])];
    decided = { keep, messages: bodies.flatMap((body) => alertMessages(body, { channels, newId })), digestOn: isDue ? day : null, report: alert };
    return decided;
  }, now);
  return isOurs ? decided : null;
}

/** The day of a digest that is due, "2026-11-22" of Europe/Sofia; null: none is. `madeOn`: the day of the last one. */
function digestDue({ digestAt, madeOn, now }: { digestAt: string | null; madeOn: string | null; now: Date }): string | null {
  if (digestAt === null) return null;
  const today = sofiaDay(now.toISOString());
  return sofiaTime(now.toISOString()) >= digestAt && (madeOn === null || madeOn < today) ? today : null;
}

/** `day`: the one that was counted. */
function digestOf({ health, at, failedChecks }: HealthStatus, { day, counts }: Pick<Digest, 'day' | 'counts'>): Digest {
  return { what: 'digest', health, at, day, counts, failedChecks: failedChecks.map(reportedCheckOf) };
}

/**
 * The messages of an alert: one for each channel. A program that takes webhooks tells them apart by type, so it gets one of what is there and one
 * of what is over.
 */
function alertMessages(body: AlertBody, { channels, newId }: { channels: readonly string[]; newId(): string }): AlertMessage[] {
  return channels.flatMap((channel) => partsFor(channel, body).map((part) => ({ id: newId(), channel, kind: kindOf(part), body: part })));
}

function partsFor(channel: string, body: AlertBody): AlertBody[] {
  if (channel !== 'webhook' || body.what !== 'alert' || kindOf(body) === 'resolved' || body.resolved.length === 0) return [body];
  return [
    { ...body, resolved: [] },
    { ...body, raised: [], still: [] },
  ];
}

function kindOf(body: AlertBody): AlertKind {
  if (body.what !== 'alert') return body.what;
  return body.raised.length + body.still.length > 0 ? 'raised' : 'resolved';
}

type Deps = { channels: readonly Channel[]; newId(): string; onSent(message: AlertMessage, sent: ChannelResult): void };

/** Tells that the database is down, which can't be written anywhere: from memory, as well as it goes. */
export type Unwritten = { round(isDown: boolean, now: Date): Promise<void> };

export function createUnwritten({ channels, newId, onSent }: Deps): Unwritten {
  let known: KnownIncident[] = [];
  let waiting: { channel: Channel; message: AlertMessage; notBefore: number }[] = [];

  async function send(now: Date): Promise<void> {
    const isDue = ({ notBefore }: (typeof waiting)[number]) => notBefore <= now.getTime();
    const rest = waiting.filter((each) => !isDue(each));
    const tried = await Promise.all(waiting.filter(isDue).map(async (each) => ({ ...each, sent: await each.channel.send(each.message) })));
    for (const { message, sent } of tried) onSent(message, sent);
    const isOld = ({ body }: AlertMessage) => now.getTime() - Date.parse(body.at) > DAY_MS;
    const later = tried.flatMap(({ sent, ...each }) =>
      sent.kind === 'later' && !isOld(each.message) ? [{ ...each, notBefore: now.getTime() + (sent.afterMs ?? 0) }] : [],
    );
    waiting = [...rest, ...later];
  }

  return {
    async round(isDown, now) {
      const { keep, alert } = evaluate({ known, health: healthOf(isDown, now), notAsked: new Set(), now, id: newId() });
      known = keep;
      if (alert !== null) {
        const messages = alertMessages(alert, { channels: channels.map(({ name }) => name), newId });
        waiting.push(
          ...messages.flatMap((message) => channels.filter(({ name }) => name === message.channel).map((channel) => ({ channel, message, notBefore: 0 }))),
        );
      }
      await send(now);
    },
  };
}

function healthOf(isDown: boolean, now: Date): HealthStatus {
  const at = now.toISOString();
  if (!isDown) return { health: 'ok', at, failedChecks: [] };
  const words = 'The database does not answer: nothing is recorded until it does, and webhooks may be refused.';
  const failedCheck = { code: 'database.down', level: 'failing', subject: null, count: null, total: null, since: null, words, verb: 'doctor' } as const;
  return { health: 'failing', at, failedChecks: [failedCheck] };
}
