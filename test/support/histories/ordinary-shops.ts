import fc from 'fast-check';
import type { NewLine } from './shopify-bodies.ts';
import { SimulatedShopify } from './simulated-shopify.ts';
import { SimulatedWooCommerce } from './simulated-woocommerce.ts';
import type { ToldHistory } from './told-history.ts';

/** An ordinary order, and how many of a thousand are like it. */
type Kind = { of1000: number; tell(order: Given): ToldHistory };
type Given = { lines: readonly NewLine[]; other: NewLine };

export type OrdinaryShop = {
  name: string;
  /** Beside the settings that the quick start shows. */
  settings?: { pricesContainVat?: string; vatGroups?: Record<string, string> };
  /** Weights are estimates of small Bulgarian shops; they add up to 1000. */
  kinds: readonly Kind[];
};

const COD = 'Cash on Delivery (COD)';
const COURIER = { cents: 490n, rate: '20' };
const shape = { totalPrice: 'frozen', current: 'with-discrepancies', pending: 'not-counted', transactions: true } as const;

function shopify(of1000: number, live: (order: SimulatedShopify, given: Given) => void): Kind {
  return {
    of1000,
    tell: (given) => {
      const order = new SimulatedShopify(given.lines, COURIER, shape);
      live(order, given);
      return order.end();
    },
  };
}

const clothing: OrdinaryShop = {
  name: 'Shopify, clothing, 20 %',
  kinds: [
    shopify(400, (order) => order.pay(COD)),
    shopify(60, (order) => order.cancel({ refund: false, shipping: false })),
    shopify(35, (order) => {
      order.takeOff(0, 1);
      order.pay(COD);
    }),
    shopify(30, (order, { other }) => {
      order.takeOff(0, 1);
      order.addLine(other);
      order.pay(COD);
    }),
    shopify(275, (order) => order.pay('shopify_payments')),
    shopify(60, (order) => order.pay('Bank Deposit')),
    shopify(60, (order) => {
      order.pay('shopify_payments');
      order.refundPieces(0, 1);
    }),
    shopify(20, (order) => {
      order.pay('shopify_payments');
      order.refundPieces(0, 1, { pending: true });
      order.settlePending();
    }),
    shopify(25, (order, { other }) => {
      order.pay(COD);
      order.exchange(0, 1, { line: other, gateway: COD });
    }),
    shopify(10, (order, { other }) => {
      order.pay('shopify_payments');
      order.addLine(other);
      order.pay('shopify_payments');
    }),
    shopify(8, (order) => {
      order.pay('shopify_payments');
      order.takeOff(0, 1);
      order.giveBackOwed();
    }),
    shopify(8, (order) => {
      order.pay('shopify_payments');
      order.goodwill(100n);
    }),
    shopify(4, (order) => {
      order.pay('shopify_payments');
      order.cancel({ refund: true, shipping: false });
    }),
    shopify(3, (order) => {
      order.pay(COD);
      order.refundPieces(0, 1, { keep: 50n });
    }),
    // The money stays although the order is cancelled: a person must say why.
    shopify(2, (order) => {
      order.pay('shopify_payments');
      order.cancel({ refund: false, shipping: false });
    }),
  ],
};

type WooShop = { gateway: string; key: boolean; courier?: { cents: bigint; rate: string }; rate?: string; roundsAtSubtotal?: boolean; taxesOff?: boolean };

function woo(of1000: number, { courier = COURIER, rate, roundsAtSubtotal = false, ...shop }: WooShop, live: (order: SimulatedWooCommerce) => void): Kind {
  return {
    of1000,
    tell: ({ lines }) => {
      const taxed = lines.map((line) => ({ ...line, rate: rate ?? line.rate }));
      const order = new SimulatedWooCommerce(taxed, courier, { ...shop, roundsAtSubtotal });
      live(order);
      return order.end();
    },
  };
}

const done = (order: SimulatedWooCommerce) => {
  order.setStatus('processing');
  order.setStatus('completed');
};

function wooKinds(shop: Omit<WooShop, 'gateway'>): Kind[] {
  const kind = (of1000: number, gateway: string, live: (order: SimulatedWooCommerce) => void) => woo(of1000, { ...shop, gateway }, live);
  return [
    kind(480, 'cod', done),
    kind(249, 'stripe', done),
    kind(110, 'bacs', (order) => {
      order.setStatus('on-hold');
      done(order);
    }),
    // The parcel is marked as completed when it is sent, and comes back.
    kind(30, 'cod', (order) => {
      done(order);
      order.comeBack();
    }),
    kind(60, 'cod', (order) => {
      order.setStatus('processing');
      order.setStatus('cancelled');
    }),
    kind(45, 'stripe', (order) => {
      done(order);
      order.refundPieces(0, 1);
    }),
    kind(15, 'stripe', (order) => {
      done(order);
      order.refundAmount(order.total);
    }),
    kind(5, 'stripe', (order) => {
      done(order);
      order.refundAmount(100n);
    }),
    kind(2, 'stripe', (order) => {
      done(order);
      order.refundAmount(100n);
      order.deleteRefund();
      order.setStatus('completed');
    }),
    kind(2, 'bacs', (order) => {
      order.setStatus('on-hold');
      order.setStatus('cancelled');
    }),
    // The money stays although the order is cancelled: a person must say why.
    kind(2, 'stripe', (order) => {
      done(order);
      order.setStatus('cancelled');
    }),
  ];
}

export const ordinaryShops: readonly OrdinaryShop[] = [
  clothing,
  { name: 'WooCommerce, 20 %, without a key', kinds: wooKinds({ key: false }) },
  { name: 'WooCommerce, taxes rounded once an order', kinds: wooKinds({ key: true, roundsAtSubtotal: true }) },
  {
    name: 'WooCommerce, courier without tax',
    settings: { vatGroups: { '0': 'GROUP_A' } },
    kinds: wooKinds({ key: true, courier: { cents: 600n, rate: '0' } }),
  },
  { name: 'WooCommerce, taxes off', settings: { pricesContainVat: '20' }, kinds: wooKinds({ key: false, taxesOff: true }) },
  { name: 'WooCommerce, bookshop, 9 %', kinds: wooKinds({ key: true, rate: '9', courier: { cents: 600n, rate: '9' } }) },
];

const line: fc.Arbitrary<NewLine> = fc.record({
  price: fc.bigInt({ min: 300n, max: 9_999n }),
  quantity: fc.integer({ min: 1, max: 3 }),
  discount: fc.constant(0n),
  rate: fc.constant('20'),
});
const given: fc.Arbitrary<Given> = fc.record({ lines: fc.array(line, { minLength: 2, maxLength: 4 }), other: line });

/** A thousand orders of a shop, as many of each kind as its weight says; always the same ones for a seed. */
export function thousandOrders({ kinds }: OrdinaryShop, seed: number): ToldHistory[] {
  const baskets = fc.sample(given, { numRuns: 1000, seed });
  const all = kinds.flatMap((kind) => Array.from({ length: kind.of1000 }, () => kind));
  return all.flatMap((kind, at) => {
    const basket = baskets[at];
    return basket === undefined ? [] : [kind.tell(basket)];
  });
}
