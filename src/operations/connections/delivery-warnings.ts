import type { Connection } from '../../bridge/connections/connection.ts';
import type { KnownTraffic } from '../../bridge/ledger/read-traffic.ts';
import { type FailureCode, failureWords } from '../../bridge/order/failure.ts';
import { ownValue } from '../../contract/own-value.ts';

/** From so many on, it is no accident. */
const ENOUGH = 3;
/** A disconnected store that ended its webhooks is not warned about for ever. */
const STILL_MS = 7 * 24 * 60 * 60 * 1000;

/** What a person should know of webhooks that are refused one after the other. `now` in ms since 1970. */
export function deliveryWarnings({ id, closedAt }: Pick<Connection, 'id' | 'closedAt'>, traffic: KnownTraffic | undefined, now: number): string[] {
  if (traffic === undefined || traffic.refusedInARow < ENOUGH || traffic.lastRefused === null) return [];
  const { refusedCode, refusedInARow, lastRefused, lastAccepted } = traffic;
  const code = refusedCode ?? '';
  if (closedAt !== null && (code !== 'connection.closed' || Date.parse(lastRefused) < now - STILL_MS)) return [];
  const since = lastAccepted === null ? 'none was ever accepted' : `the last accepted one was at ${lastAccepted}`;
  const count = `the last ${refusedInARow} webhooks were refused, the newest at ${lastRefused}; ${since}`;
  return [`${code}: ${count}. ${wordsFor(code).replaceAll('CONNECTION', id)} \`orderbridge deliveries ${id} --refused\` lists them`];
}

function wordsFor(code: string): string {
  const { means, todo } = failureWords(code);
  return ownValue<string>(words, code) ?? `${means} ${todo}`;
}

const words = {
  'signature.mismatch':
    'The store signs with another secret than this connection has: copy the secret of its webhooks, and give it with `orderbridge rotate-secret CONNECTION --secret prompt`. ' +
    'If it is the same, something between changes the body, such as a proxy or a security plugin.',
  'signature.missing': 'The store sends its webhooks without a signature: set a secret in each of its webhooks, the one that this connection has.',
  'signature.expired': 'The store’s clock is wrong, or its webhooks are held up for more than 5 minutes on their way: correct its clock (NTP).',
  'body.incomplete': 'Webhooks break off on their way: look at the proxy in front of orderbridge, its limits and its log.',
  'body.encoded': 'Webhooks come compressed: turn that off at the sender, or in the proxy in front of orderbridge.',
  'body.not-json': 'Webhooks are signed, but their body is not JSON: choose JSON as their format in the store.',
  'body.wrong-type': 'Webhooks are signed, but their content type is not application/json: choose JSON as their format in the store.',
  'connection.closed': 'The store was disconnected, and still sends: delete its webhooks there, or connect it again with `orderbridge connect`.',
  'intake.unavailable':
    'Neither the queue nor the database took them: `orderbridge doctor` checks both. Platforms that give up after a few attempts switch their webhooks off.',
} satisfies Partial<Record<FailureCode, string>>;
