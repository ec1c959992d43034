import { expect, test } from 'vitest';
import { asProblem, HttpProblem } from '../../../src/service/http/http-problem.ts';

const error = (message: string, fields: object) => Object.assign(new Error(message), fields);

test.each([
  ['a problem stays what it is', new HttpProblem('order-exists', 'x'), 409],
  ['too much', error('request entity too large', { status: 413, type: 'entity.too.large' }), 413],
  ['compressed', error('content encoding unsupported', { status: 415 }), 415],
  ['broken off', error('request aborted', { status: 400, type: 'request.aborted' }), 400],
  ['connection refused', error('connect ECONNREFUSED', { code: 'ECONNREFUSED' }), 503],
  ['no connection in time', new Error('timeout exceeded when trying to connect'), 503],
  ['the server is starting', error('the database system is starting up', { code: '57P03' }), 503],
  ['a connection that broke may have committed', error('Connection terminated unexpectedly', { code: 'ECONNRESET' }), 500],
  ['an administrator ended the statement', error('terminating connection', { code: '57P01' }), 500],
  ['a bug', new TypeError('x is not a function'), 500],
  ['no error at all', 'thrown text', 500],
] as const)('%s', (_what, thrown, status) => {
  expect(asProblem(thrown).status).toBe(status);
});

test('the answer does not reveal internal errors', () => {
  expect(JSON.stringify(asProblem(new Error('password of postgres://me:secret@db')))).not.toContain('secret');
});
