import type { Draws } from './draw-shot.ts';

const ADD = '/admin/queues/api/queues/deliveries/add';

function basic(password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` };
}

/** What a stranger, and a page that an operator happens to visit, send to the pages of operators. */
export const opsShots: Draws = {
  'wrong password': ({ n, dice }) => ({
    method: dice.pick(['GET', 'POST']),
    path: dice.pick(['/admin/queues', '/admin/queues/api/queues', ADD]),
    headers: { ...basic(`guess ${n}`), 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    expected: [401, 403, 429, 404],
  }),
  'cross-site': ({ adminToken, dice, n }) => {
    const foreign = {
      origin: 'https://elsewhere.invalid',
      'sec-fetch-site': 'cross-site',
      'content-type': dice.pick(['text/plain', 'application/x-www-form-urlencoded']),
    };
    const put = dice.chance(0.3);
    return {
      method: put ? 'PUT' : 'POST',
      path: put ? '/admin/queues/api/queues/submissions/pause' : ADD,
      headers: { ...basic(adminToken), ...foreign },
      body: Buffer.from(`{"name":"deliveries","data":{"n":${n}},"options":{}}`),
      expected: [403, 404, 405, 415],
    };
  },
  scrape: ({ dice }) => ({
    method: 'GET',
    path: dice.pick(['/metrics', '/readyz', '/healthz']),
    headers: {},
    body: Buffer.alloc(0),
    expected: [200],
  }),
};
