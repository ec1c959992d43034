import type { SettingsInput } from '../../../src/bridge/connections/connection-settings.ts';
import { storefrontOf, storefronts } from '../../../src/bridge/storefronts/registry.ts';
import { addressOf } from '../samples/signed-webhooks.ts';
import { startWooServer } from '../servers/woo/start-woo-server.ts';
import type { WooAnswer } from '../servers/woo/woo-answer.ts';
import type { World } from './world.ts';

/** `key`: the one that it is connected with. */
type LiveWooOptions = { settings?: SettingsInput; now?: () => number; key?: 'write' | 'read'; shopId?: string };

/** A WooCommerce store with all its webhooks and its REST API, connected with a key. */
export async function startLiveWooStore(it: Pick<World, 'bridge'>, { settings = {}, now = Date.now, key = 'write', shopId }: LiveWooOptions = {}) {
  const store = await startWooServer({ now });
  const connected = await it.bridge.connect({ platform: 'woocommerce', access: store.access(key), settings, ...(shopId === undefined ? {} : { shopId }) });
  const { topics, alsoTopics = [] } = storefrontOf(storefronts, 'woocommerce');
  for (const topic of [...topics, ...alsoTopics]) {
    store.webhooks.add({ topic, delivery_url: addressOf(it.bridge.app.url, connected), secret: connected.secret });
  }
  const { floor, webhooks, host } = store;
  return {
    ...{ store, floor, webhooks, connected },
    /** As a checkout does it: the order is placed, then paid, and all of it is in one run of the queue. */
    async sell(): Promise<string> {
      const { id } = floor.buy({ paid: false });
      floor.pay(id);
      await webhooks.runQueue();
      return String(id);
    },
    /** What the API answers instead; null: it works. */
    answersWith(answer: WooAnswer | null): void {
      host.intercept = ({ path }) => (answer !== null && path.startsWith('/wp-json/') ? answer : undefined);
    },
    /** The requests of single orders, and of their refunds. */
    single: () => store.asked.filter(({ path }) => /\/orders\/\d+/.test(path)).map(({ path }) => path),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
