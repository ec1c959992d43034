// Makes orders of all kinds in a shop of shop.sh: node orders.mjs http://127.0.0.1:8083/ VERSION COUNT SEED > orders.json
const [, , shop, version, count, seed] = process.argv;

let state = Number(seed) >>> 0;
const random = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const some = (most) => 1 + Math.floor(random() * most);

const PENDING = 1;
const PROCESSING = 2;
const SHIPPED = 3;
const COMPLETE = 5;
const CANCELLED = 7;
const REFUNDED = 11;

const at20 = () => [28, some(5)];
const at9 = () => [31, some(5)];
const mixed = () => [at20(), at9(), [33, some(3)], [29, some(3)]];
const paid = (more) => ({ payment: 'bank_transfer', statuses: [PENDING, PROCESSING], products: [at20()], ...more });

/** What is done, and what must become of it: recorded, removed, review or waiting. */
const kinds = {
  'one rate': () => [paid({})],
  'several rates': () => [paid({ products: mixed() })],
  'many cheap': () => [paid({ products: [[32, 10 * some(9) + 7]] })],
  dear: () => [paid({ products: [[36, some(9)]], statuses: [PENDING, PROCESSING, COMPLETE] })],
  'coupon of percent': () => [paid({ products: mixed(), coupon: 'P10' })],
  'coupon of an amount': () => [paid({ products: mixed(), coupon: 'F15' })],
  'coupon for one product': () => [paid({ products: mixed(), coupon: 'ONE' })],
  'coupon with free shipping': () => [paid({ products: mixed(), coupon: 'SHIP' })],
  'reward points': () => [paid({ customer: true, products: [at20(), at9()], reward: 50 })],
  'store credit': () => [paid({ customer: true, products: mixed(), credit: 3.21 })],
  fees: () => [paid({ products: mixed(), handling: true, low_order_fee: true })],
  dollars: () => [paid({ products: mixed(), currency: 'USD', coupon: 'P10' })],
  'shipping at 9 %': () => [paid({ products: mixed(), shippingClass: 902 })],
  'shipping without VAT': () => [paid({ products: mixed(), shippingClass: 0, coupon: 'F15' })],
  'free product': () => [paid({ products: [[34, 1], at9()] })],
  'cash on delivery, sent': () => [paid({ payment: 'cod', statuses: [PENDING, SHIPPED] }), 'waiting'],
  'cash on delivery, paid': () => [paid({ payment: 'cod', statuses: [PENDING, SHIPPED, COMPLETE] })],
  edited: () => [paid({ products: mixed() }), 'recorded', { do: 'edit', ...paid({ products: [at9()], coupon: 'P10' }), status: PROCESSING }],
  'edited, dearer': () => [paid({}), 'recorded', { do: 'edit', ...paid({ products: mixed() }), status: PROCESSING }],
  refunded: () => [paid({ products: mixed() }), 'removed', { do: 'status', status: REFUNDED }],
  'refunded by mistake': () => [paid({}), 'recorded', { do: 'status', status: REFUNDED }, { do: 'status', status: PROCESSING }],
  'refunded in part': () => [paid({ products: [[36, 2]], shippingClass: 901 }), 'recorded', { do: 'refund', amount: 100.5 }],
  'refunded in part, several rates': () => [paid({ products: mixed() }), 'review', { do: 'refund', amount: 1.5 }],
  'cancelled, paid': () => [paid({}), 'review', { do: 'status', status: CANCELLED }],
  'cancelled, unpaid': () => [paid({ statuses: [PENDING, CANCELLED] }), 'waiting'],
  pending: () => [paid({ statuses: [PENDING] }), 'waiting'],
  deleted: () => [paid({}), 'review', { do: 'delete' }],
  ...(version === '3'
    ? {
        'voucher pays': () => [paid({ products: mixed(), voucher: 'GIFT1' })],
        'voucher sold': () => [paid({ products: [at20()], vouchers: [gift()] })],
      }
    : {}),
};

function gift() {
  const names = { to_name: 'a', to_email: 'a@example.com', from_name: 'b', from_email: 'b@example.com' };
  return { description: 'Подаръчен ваучер', ...names, voucher_theme_id: 8, message: '', amount: 25 };
}

const made = [];
const names = Object.keys(kinds);
for (let n = 0; n < Number(count); n++) {
  const kind = names[n % names.length];
  const [first, outcome = 'recorded', ...after] = kinds[kind]();
  const { id } = await step({ do: 'order', ...first });
  for (const next of after) await step({ ...next, id });
  made.push({ id, kind, outcome });
  process.stderr.write(`\r${n + 1}`);
}
console.log(JSON.stringify(made));

async function step(body) {
  const answer = await fetch(new URL('index.php?route=trial', shop), { method: 'POST', body: JSON.stringify(body) });
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${answer.status} ${JSON.stringify(body)}: ${text.slice(0, 2000)}`);
  }
}
