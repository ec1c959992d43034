import type { AlertMessage } from '../bridge/alerts/alert.ts';
import type { Channel, ChannelResult } from '../bridge/alerts/channels.ts';
import { keepTest } from '../bridge/ledger/alerts/alert-outbox.ts';
import type { Pool } from '../platform/postgres/postgres.ts';

export type TestedChannel = { name: string; where: string; sent: ChannelResult };

type Deps = { pool: Pool; channels: readonly Channel[]; newId(): string; now: Date };

/** Sends a test by every channel at once, and keeps what became of it: one that took it is not broken any more. */
export async function testChannels({ pool, channels, newId, now }: Deps): Promise<TestedChannel[]> {
  return Promise.all(
    channels.map(async (channel) => {
      const { name, where } = channel;
      const message: AlertMessage = { id: newId(), channel: name, kind: 'test', body: { what: 'test', at: now.toISOString() } };
      const sent = await channel.send(message);
      await keepTest(pool, { message, error: sent.kind === 'sent' ? null : sent.why }, now);
      return { name, where, sent };
    }),
  );
}
