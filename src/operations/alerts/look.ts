import type { AlertMessage, Digest, IncidentAlert, KnownIncident } from '../../bridge/alerts/alert.ts';
import { alertMessages } from './alert-messages.ts';
import { dayBefore, digestDue, digestOf } from './digest.ts';
import { type Judgeable, judge } from './judge.ts';

/** What one look leaves behind. `digestOn`: the day whose digest is among the messages; null: none is. `told` null: no incident is told. */
export type Decided = { keep: readonly KnownIncident[]; messages: readonly AlertMessage[]; digestOn: string | null; told: IncidentAlert | null };

/** What was known before it. `digestOn`: the day of the last digest. */
export type Before = { known: readonly KnownIncident[]; digestOn: string | null };

export type LookDeps = {
  ledger: {
    /** Writes what `decide` says in one transaction with what it was decided from; false: another process looks. */
    look(decide: (before: Before) => Decided, now: Date): Promise<boolean>;
    /** What happened on a day of Europe/Sofia, and what waits now. */
    counts(day: string): Promise<Digest['counts']>;
    digestOn(): Promise<string | null>;
  };
  channels: readonly string[];
  digestAt: string | null;
  newId(): string;
};

/** Judges a verdict, and puts what is to be told into the outbox. Returns what was decided; null: another process looks. */
export async function look(deps: LookDeps, { verdict, notAsked }: Judgeable, now: Date): Promise<Decided | null> {
  const { ledger, channels, digestAt, newId } = deps;
  const day = digestDue({ digestAt, madeOn: digestAt === null ? null : await ledger.digestOn(), now });
  const counts = day === null ? null : await ledger.counts(dayBefore(day));
  let decided: Decided | null = null;
  const isOurs = await ledger.look(({ known, digestOn }) => {
    const { keep, alert } = judge({ known, verdict, notAsked, now, id: newId() });
    // Another process may have made it since.
    const isDue = day !== null && counts !== null && (digestOn === null || digestOn < day);
    const bodies = [...(alert === null ? [] : [alert]), ...(isDue ? [digestOf(verdict, { day: dayBefore(day), counts })] : [])];
    decided = { keep, messages: bodies.flatMap((body) => alertMessages(body, { channels, newId })), digestOn: isDue ? day : null, told: alert };
    return decided;
  }, now);
  return isOurs ? decided : null;
}
