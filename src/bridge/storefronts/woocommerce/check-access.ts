import { z } from 'zod';
import { Failure } from '../../order/failure.ts';
import type { StoreAccess, StoreMeans } from '../contract.ts';
import { readAnswer } from './read-answer.ts';
import { type Rest, restOf } from './rest.ts';
import { restFailure } from './rest-failure.ts';
import type { Way } from './rest-way.ts';

const list = z.array(z.object({ id: z.unknown() }));

/** Reads one order, and tries whether the key may write, by a webhook without topic and address, which no store takes. */
export async function checkAccess(access: StoreAccess, means: StoreMeans): Promise<string[]> {
  const rest = restOf(access, means);
  try {
    const tried = await rest.call({ path: `orders?per_page=1&_fields=id&${rest.uncached}` });
    if (tried.answer.status !== 200) throw restFailure(access, tried);
    readAnswer(list, tried.answer.body);
    return [...drawbacks[tried.way.auth], ...(await writing(rest))];
  } catch (thrown) {
    if (thrown instanceof Failure) return [sentence(thrown)];
    throw thrown;
  }
}

const drawbacks: Record<Way['auth'], readonly string[]> = {
  basic: [],
  query: [
    'The store’s web server takes the Authorization header away, so that the REST key is sent in addresses, which its logs keep: have the host pass the header on.',
  ],
  oauth: [
    'The store is called over http://, where everybody on the way can read its orders: give its https:// address with `orderbridge reconnect CONNECTION --store-url`.',
  ],
};

async function writing(rest: Rest): Promise<string[]> {
  const { status } = (await rest.call({ path: 'webhooks', method: 'POST', body: {} })).answer;
  if (status !== 401 && status !== 403) return [];
  return [
    'The REST key may only read, so that webhooks which stop working are not made anew: make one with Read/Write rights under WooCommerce → Settings → Advanced → REST API, and give it with `orderbridge reconnect`.',
  ];
}

function sentence({ code, message }: Failure): string {
  // It may begin with a host's name, which is written as it is.
  return `${message.slice(`${code}: `.length).replace(/^the /, 'The ')}.`;
}
