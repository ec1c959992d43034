import { READ_TOPIC } from '../../bridge/reconciliation/read-page.ts';
import { storefrontOf, storefronts } from '../../bridge/storefronts/registry.ts';
import type { Config } from '../../config/config.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import { errorWords } from '../../platform/error-words.ts';
import { mayCarrySecrets } from '../../platform/may-carry-secrets.ts';
import type { Pool } from '../../platform/postgres/postgres.ts';
import { type FindConnection, knownConnection } from '../connections/known-connection.ts';
import { Refusal } from '../refusal.ts';
import { deliveryBody, withBody } from './kept-webhook.ts';

const ANSWER_MS = 10_000;

/** `url`: where it goes. `secret`: it is signed with that, as the store's own is nobody's business. */
type Forwarding = { id: string; url: string; secret: string; by: Actor };

/** Refuses an address to which buyers' data would go in the clear over a network. */
export function mustCarryBuyers(url: string, { trustedHttpHosts }: Pick<Config, 'trustedHttpHosts'>): void {
  if (/^https?:/i.test(url) && mayCarrySecrets(url, trustedHttpHosts)) return;
  const not = { en: `${url} is no address to which buyers’ data may go`, bg: `${url} не е адрес, на който може да се изпращат данни на купувачи` };
  const hosts = { en: 'or name its host in TRUSTED_HTTP_HOSTS', bg: 'или посочете хоста в TRUSTED_HTTP_HOSTS' };
  const advice = {
    en: `give https://, http:// to this machine or a private address, ${hosts.en}`,
    bg: `дайте https://, http:// към тази машина или частен адрес, ${hosts.bg}`,
  };
  throw new Refusal('invalid', { ...not, advice });
}

/** Sends a kept webhook on, with the headers of its platform: the buyer in it is seen, which is an act. What was answered; null: there is nothing to send. */
export async function forwardDelivery(deps: { pool: Pool; connections: FindConnection }, { id, url, secret, by }: Forwarding): Promise<string | null> {
  const found = await withBody(deps.pool, id);
  if (found === null || found.body === null || found.topic === READ_TOPIC) return null;
  if (found.cut) return 'not sent: only what is used of its body was kept';
  const { topic, store, platformDeliveryId } = found;
  const { platform } = await knownConnection(deps.connections, found.connectionId);
  const storefront = storefrontOf(storefronts, platform);
  const problem = storefront.sign === undefined ? `webhooks of ${platform} can't be signed here` : storefront.secretProblem(secret);
  if (storefront.sign === undefined || problem !== null) return `not sent: ${problem}`;
  const body = await deliveryBody(deps, { id, by });
  const signed = storefront.sign({ topic, id: platformDeliveryId ?? id, store, secret, now: Date.now(), body });
  return answerTo(url, { headers: Object.fromEntries(signed.headers), body: new Uint8Array(signed.body) });
}

async function answerTo(url: string, sent: Pick<RequestInit, 'headers' | 'body'>): Promise<string> {
  try {
    const answer = await fetch(url, { ...sent, method: 'POST', redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await answer.body?.cancel();
    return `answered ${answer.status}`;
  } catch (thrown) {
    return `no answer: ${errorWords(thrown)}`;
  }
}
