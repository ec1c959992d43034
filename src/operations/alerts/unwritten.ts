import type { AlertMessage, KnownIncident } from '../../bridge/alerts/alert.ts';
import type { Channel, Sent } from '../../bridge/alerts/channel.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { alertMessages } from './alert-messages.ts';
import { judge } from './judge.ts';

type Deps = { channels: readonly Channel[]; newId(): string; onSent(message: AlertMessage, sent: Sent): void };

/** Tells that the database is down, which can't be written anywhere: from memory, as well as it goes. */
export type Unwritten = { look(isDown: boolean, now: Date): Promise<void> };

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
    async look(isDown, now) {
      const { keep, alert } = judge({ known, verdict: verdictOf(isDown, now), notAsked: new Set(), now, id: newId() });
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

function verdictOf(isDown: boolean, now: Date): Verdict {
  const at = now.toISOString();
  if (!isDown) return { verdict: 'ok', at, reasons: [] };
  const words = 'The database does not answer: nothing is recorded until it does, and webhooks may be refused.';
  const reason = { code: 'database.down', level: 'failing', subject: null, count: null, total: null, since: null, words, verb: 'doctor' } as const;
  return { verdict: 'failing', at, reasons: [reason] };
}
