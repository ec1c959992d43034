import { ShopAnswered } from './shop-answered.ts';

type Words = { refused: boolean; todo: string };

const RECONNECT = 'with `orderbridge reconnect CONNECTION --store-url`';

const byStatus: Readonly<Record<number, Words>> = {
  401: {
    refused: true,
    todo: 'its access token is refused, or the app was uninstalled; install the app again, and give its token with `orderbridge reconnect`',
  },
  402: { refused: true, todo: 'the shop is frozen until its bill is paid' },
  403: { refused: true, todo: 'the app may not use the Admin API of this shop; grant it the scope read_orders, and install it again' },
  404: { refused: true, todo: `no shop is at this address; give the one that ends in .myshopify.com ${RECONNECT}` },
  423: { refused: true, todo: 'the shop is locked; its owner must ask the support of Shopify' },
};

/** The failure that an answer with this status is, in words that say what to do. */
export function refusalOf(status: number): ShopAnswered {
  const known = byStatus[status] ?? { refused: false, todo: otherwise(status) };
  return new ShopAnswered(status, known.refused ? 'storefront.refused' : 'storefront.unreachable', `the shop answered ${status}: ${known.todo}`);
}

function otherwise(status: number): string {
  if (status >= 300 && status < 400) return `its address redirects; give the one that ends in .myshopify.com ${RECONNECT}`;
  if (status === 429) return 'it throttles this app; it is called again later';
  if (status === 430) return 'it takes the calls for an attack; it is called again later';
  return 'it is called again later';
}
