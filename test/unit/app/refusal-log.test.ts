import { expect, test } from 'vitest';
import { answerLog } from '../../../src/app/receiver.ts';
import type { WebhookAnswer } from '../../../src/bridge/intake/webhook-router.ts';
import { linesOf } from '../../support/samples/logged-events.ts';

const sender = { client: null, topic: '', isPlatforms: true, isByModule: false, deliveryId: null, headers: {} };
const accepted: WebhookAnswer = {
  platform: 'p',
  connectionId: 'c1',
  orderId: '1',
  delivery: null,
  code: null,
  what: 'order',
  ms: 1,
  requestId: 'r',
  ...sender,
};
const unknown: WebhookAnswer = { ...accepted, connectionId: null, orderId: null, code: 'connection.unknown', what: null };

test('a flood of refusals is counted, and hides no accepted webhook and no other connection', () => {
  const lines = linesOf((log) => {
    const answered = answerLog(log, () => 0);
    for (let count = 0; count < 1_000; count += 1) answered(unknown);
    answered({ ...unknown, connectionId: 'c2', code: 'signature.mismatch' });
    for (let count = 0; count < 50; count += 1) answered(accepted);
  });

  expect(lines.filter(({ code }) => code === 'connection.unknown')).toHaveLength(20);
  expect(lines.filter(({ event }) => event === 'webhook.not-logged').map(({ count }) => count)).toEqual([980]);
  expect(lines.filter(({ code }) => code === 'signature.mismatch')).toHaveLength(1);
  expect(lines.filter(({ code, event }) => event === 'webhook' && code === null)).toHaveLength(50);
});
