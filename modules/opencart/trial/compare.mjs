// Holds what orderbridge recorded against OpenCart's own totals, with nothing of the module or of orderbridge in it:
// node compare.mjs orders.json DB.SOCK RECORDED.json, where RECORDED is {orders: `orders --json`, records: `service orders list --json`}.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const [, , madeFile, socket, recordedFile] = process.argv;
const made = JSON.parse(readFileSync(madeFile, 'utf8'));
const { orders, records } = JSON.parse(readFileSync(recordedFile, 'utf8'));

const rates = { 'ДДС 20%': 20, 'Намалена ставка': 9 };
const groups = { 20: 'GROUP_B', 9: 'GROUP_D', 0: 'GROUP_A' };
const rows = (sql) =>
  execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '--default-character-set=utf8mb4', '-N', '-B', '-r', 'opencart', '-e', sql], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const shop = new Map(rows('SELECT JSON_OBJECT("id", order_id, "total", total, "rate", currency_value, "currency", currency_code) FROM oc_order').map((row) => [row.id, row]));
const totals = Map.groupBy(rows('SELECT JSON_OBJECT("id", order_id, "code", code, "title", title, "value", value) FROM oc_order_total'), ({ id }) => id);
const quantity = new Map(rows('SELECT JSON_OBJECT("id", order_id, "lines", COUNT(*)) FROM oc_order_product GROUP BY order_id').map((row) => [row.id, row.lines]));
const goods = new Map(rows('SELECT JSON_OBJECT("id", order_id, "sum", SUM(total)) FROM oc_order_product GROUP BY order_id').map((row) => [row.id, row.sum]));

const known = new Map(orders.map((order) => [Number(order.orderId), order]));
const recordOf = new Map(records.map((record) => [record.id, record]));
const cents = (value) => Math.round(Math.round(value * 1e8) / 1e6);
let wrong = 0;

for (const { id, kind, outcome } of made) {
  const order = known.get(id);
  const problems = [];
  const state = order?.state ?? 'nothing';
  if (state !== outcome && !(outcome === 'waiting' && state === 'nothing')) problems.push(`is ${state}, not ${outcome} (${JSON.stringify(order?.review ?? null)})`);
  if (state === 'recorded' && outcome === 'recorded') problems.push(...differences(id, recordOf.get(order.complianceId)));
  if (problems.length > 0) {
    wrong += 1;
    console.log(`${id} (${kind}): ${problems.join('; ')}`);
  }
}
const counts = Object.groupBy(made, ({ id }) => known.get(id)?.state ?? 'nothing');
console.log(`${made.length} orders, ${wrong} wrong: ${Object.entries(counts).map(([state, all]) => `${all.length} ${state}`).join(', ')}`);
process.exitCode = wrong === 0 ? 0 : 1;

function differences(id, record) {
  if (record === undefined) return ['has no record at the service'];
  const { total, rate } = shop.get(id);
  const own = totals.get(id);
  const paying = own.filter(({ code }) => code === 'voucher' || code === 'credit').map(({ value }) => cents(-value * rate));
  const vouchers = cents((own.find(({ code }) => code === 'sub_total').value - (goods.get(id) ?? 0)) * rate);
  const wanted = cents(total * rate) + paying.reduce((a, b) => a + b, 0) - vouchers;
  const found = cents(grossOf(record));
  const problems = found === wanted ? [] : [`is recorded at ${found / 100}, and costs ${wanted / 100}`];
  if (own.some(({ code }) => code === 'refund')) return problems;
  for (const [name, percent] of Object.entries(rates)) {
    const tax = own.filter(({ code, title }) => code === 'tax' && title === name).reduce((sum, { value }) => sum + value * rate, 0);
    const gross = grossOf(record, groups[percent]);
    const lines = quantity.get(id) + own.length;
    if (Math.abs((gross * percent) / (100 + percent) - tax) > 0.005 * lines) problems.push(`has VAT of ${percent} % on ${gross}, not of ${tax}`);
  }
  return problems;
}

function grossOf(record, group) {
  return record.lineItems
    .filter(({ vatGroup }) => group === undefined || vatGroup === group)
    .reduce((sum, { price, quantity: pieces, discount = 0 }) => sum + price * pieces - discount, 0);
}
