// Picks the recorded webhooks of one order of each kind, with what OpenCart itself says that it costs:
// node fixtures.mjs orders.json RECORDINGS DB.SOCK VERSION OUT
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

const [, , madeFile, recordings, socket, version, out] = process.argv;
const made = JSON.parse(readFileSync(madeFile, 'utf8'));
const rows = (sql) =>
  execFileSync('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '--default-character-set=utf8mb4', '-N', '-B', '-r', 'opencart', '-e', sql], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
const totals = rows('SELECT JSON_OBJECT("id", t.order_id, "code", t.code, "title", t.title, "value", t.value, "rate", o.currency_value) FROM oc_order_total t JOIN oc_order o USING (order_id)');

const messages = Map.groupBy(
  readdirSync(recordings)
    .sort()
    .map((file) => JSON.parse(readFileSync(`${recordings}/${file}`, 'utf8')))
    .filter(({ path }) => path.startsWith('/webhooks/'))
    .map((kept) => ({ ...kept, order: JSON.parse(Buffer.from(kept.body_base64, 'base64').toString()).data.order })),
  ({ order }) => Number(order.id),
);

mkdirSync(out, { recursive: true });
const seen = new Set();
for (const { id, kind } of made) {
  const all = messages.get(id) ?? [];
  if (seen.has(kind) || all.length === 0) continue;
  seen.add(kind);
  const own = totals.filter((row) => row.id === id).map(({ code, title, value, rate }) => ({ code, title, value: value * rate }));
  const webhooks = all.map(({ headers, body_base64 }) => ({ headers, body_base64 }));
  const name = `${version}-${kind.replace(/[^a-z0-9]+/gi, '-').replace(/-$/, '')}`;
  writeFileSync(`${out}/${name}.json`, `${JSON.stringify({ version, kind, totals: own, webhooks }, null, 2)}\n`);
}
