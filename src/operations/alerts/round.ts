import type { AlertBody, AlertKind, AlertMessage, Digest, IncidentAlert, KnownIncident } from '../../bridge/alerts/alert.ts';
import type { Channel, Sent } from '../../bridge/alerts/channel.ts';
import type { HealthStatus } from '../health/health-status.ts';
import { evaluate, type KnownHealth, reportedCheckOf } from './evaluate.ts';

/** What one round leaves behind. `digestOn`: the day whose digest is among the messages; null: none is. `told` null: no incident is told. */
export type Decided = { keep: readonly KnownIncident[]; messages: readonly AlertMessage[]; digestOn: string | null; told: IncidentAlert | null };

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

/** Evaluates a health status, and puts what is to be told into the outbox. Returns what was decided; null: another process does. */
export async function round(deps: RoundDeps, { health, notAsked }: KnownHealth, now: Date): Promise<Decided | null> {
  const { ledger, channels, digestAt, newId } = deps;
  const day = digestDue({ digestAt, madeOn: digestAt === null ? null : await ledger.digestOn(), now });
  const counts = day === null ? null : await ledger.counts(dayBefore(day));
  let decided: Decided | null = null;
  const isOurs = await ledger.round(({ known, digestOn }) => {
    const { keep, alert } = evaluate({ known, health, notAsked, now, id: newId() });
    // Another process may have made it since.
    const isDue = day !== null && counts !== null && (digestOn === null || digestOn < day);
    const bodies = [...(alert === null ? [] : [alert]), ...(isDue ? [digestOf(health, { day: dayBefore(day), counts })] : [])];
    decided = { keep, messages: bodies.flatMap((body) => alertMessages(body, { channels, newId })), digestOn: isDue ? day : null, told: alert };
    return decided;
  }, now);
  return isOurs ? decided : null;
}

const inSofia = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Sofia', dateStyle: 'short', timeStyle: 'short' });

/** The day of a digest that is due, "2026-11-22" of Europe/Sofia; null: none is. `madeOn`: the day of the last one. */
function digestDue({ digestAt, madeOn, now }: { digestAt: string | null; madeOn: string | null; now: Date }): string | null {
  if (digestAt === null) return null;
  const [today = '', time = ''] = inSofia.format(now).split(' ');
  return time >= digestAt && (madeOn === null || madeOn < today) ? today : null;
}

/** The day before, in the same form. */
function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 24 * 3_600_000).toISOString().slice(0, 10);
}

/** `day`: the one that was counted. */
function digestOf({ health, at, failedChecks }: HealthStatus, { day, counts }: Pick<Digest, 'day' | 'counts'>): Digest {
  return { what: 'digest', health, at, day, counts, failedChecks: failedChecks.map(reportedCheckOf) };
}

type Addressed = { channels: readonly string[]; newId(): string };

/**
 * The messages of an alert: one for each channel. A program that takes webhooks tells them apart by type, so it gets one of what is there and one
 * of what is over.
 */
function alertMessages(body: AlertBody, { channels, newId }: Addressed): AlertMessage[] {
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

type Deps = { channels: readonly Channel[]; newId(): string; onSent(message: AlertMessage, sent: Sent): void };

/** Tells that the database is down, which can't be written anywhere: from memory, as well as it goes. */
export type Unwritten = { round(isDown: boolean, now: Date): Promise<void> };

const DAY_MS = 24 * 3_600_000;

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
