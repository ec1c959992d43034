import { type Connected, orderOf } from '../worlds/bridge.ts';
import { until } from '../worlds/settled.ts';
import type { World } from '../worlds/world.ts';

/**
 * Sends so many orders by a gateway that no setting knows, and waits until all of them wait for a person. Their ids: from `first` on; the last is the
 * newest in the ledger, too, the others arrive in any order.
 */
export async function sendManyToReview(
  { bridge }: World,
  connected: Connected,
  { count, first = 1, ...changes }: { count: number; first?: number } & Record<string, unknown>,
) {
  const ids = Array.from({ length: count }, (_, n) => String(first + n));
  const sendToReview = async (some: string[]) => {
    await Promise.all(some.map((id) => bridge.send(connected, 'order.paid', { order: orderOf(id, { payment: { method: 'borica_pos' }, ...changes }) })));
    const review = async () => (await bridge.pool.query(`select from orders where state = 'review' and order_id = any($1)`, [some])).rowCount;
    await until(async () => (await review()) === some.length, { what: `${some.length} orders to be sent to review` });
  };
  await sendToReview(ids.slice(0, -1));
  await sendToReview(ids.slice(-1));
}

/** The address of the issue with this heading, as the list links it. */
export function issueIn(list: string, heading: string): string {
  const [, path] = new RegExp(`<a href="(/console/review/[\\w-]+)"><strong>[^<]*${heading}`).exec(list) ?? [];
  if (path === undefined) throw new Error(`no issue “${heading}” in ${list}`);
  return path;
}

/** The hidden fields of the form whose verb is this. */
export function hiddenIn(page: string, verb: string): Record<string, string> {
  const form = page.split('<form ').find((one) => one.includes(`name="verb" value="${verb}"`)) ?? '';
  const fields = [...(form.split('</form>')[0] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  if (fields.length === 0) throw new Error(`no form with the verb ${verb} in ${page}`);
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}
