import { expect, test } from 'vitest';
import { createUnwritten } from '../../../../src/app/incidents.ts';
import type { Channel, ChannelResult } from '../../../../src/bridge/alerts/channels.ts';

test('a chat that wants to be left alone is, also while the database is down', async () => {
  const answers: ChannelResult[] = [{ kind: 'later', why: 'it answered 429', afterMs: 600_000 }];
  let tries = 0;
  const send = async (): Promise<ChannelResult> => {
    tries += 1;
    return answers.shift() ?? { kind: 'sent', words: 'it answered 200' };
  };
  const channels: Channel[] = [{ name: 'slack', where: 'chat.example', send }];
  const { round } = createUnwritten({ channels, newId: () => 'id', onSent: () => undefined });
  const triesAt = async (minute: number) => {
    await round(true, new Date(Date.parse('2026-11-22T08:00:00Z') + minute * 60_000));
    return tries;
  };

  await triesAt(0);
  await triesAt(4);
  expect(await triesAt(6)).toBe(1);
  expect(await triesAt(15)).toBe(1);
  expect(await triesAt(16)).toBe(2);
  expect(await triesAt(17)).toBe(2);
});
