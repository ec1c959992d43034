import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type PlantedTree, plantTree } from './planted-tree.ts';

const root = join(import.meta.dirname, '../../..');
const LEDGER = 'src/bridge/ledger/migrate-ledger.ts';
const SERVICE = 'src/service/database/service-tables.ts';
const PLAIN = 'src/service/orders/create-plain-orders.sql';

type Edit = { path: string; from: string | RegExp; to: string };
type Version = { version: number; name: string; runsBeside: number; sql: string };

const migration = (path: string, version: Version): Edit => ({ path, from: /(?=\];\nexport const \w+_VERSION)/, to: `, ${JSON.stringify(version)}` });

/** A trigger that keeps two columns alike, so that programs may write either. */
const alike = (table: string, name: string, [old, later]: [string, string]): string => `
  create function ${name}() returns trigger language plpgsql as $f$ begin
    new.${later} := coalesce(new.${later}, new.${old});
    new.${old} := new.${later};
    return new;
  end $f$;
  create trigger alike before insert on ${table} for each row execute function ${name}();`;

/** A made-up version 2 gives a column of each schema another name: it adds one, which this program reads and writes in place of the old. */
const EXPANDING: Edit[] = [
  migration(LEDGER, {
    ...{ version: 2, name: 'handed', runsBeside: 1 },
    sql: `alter table deliveries add column handed_ms int;
      update deliveries set handed_ms = answer_ms;
      ${alike('deliveries', 'bridge.alike_ms', ['answer_ms', 'handed_ms'])}
      alter table orders add column region text not null default 'bg';`,
  }),
  ...['deliveries/delivery-store', 'deliveries/store-hosts', 'orders/record-store'].map((file) => ({
    ...{ path: `src/bridge/ledger/${file}.ts`, from: /(?<=insert into deliveries \([^)]*)answer_ms/, to: 'handed_ms' },
  })),
  { path: 'src/bridge/ledger/deliveries/delivery-store.ts', from: 'd.answer_ms', to: 'd.handed_ms' },
  { path: 'src/bridge/ledger/deliveries/find-deliveries.ts', from: 'd.answer_ms', to: 'd.handed_ms as answer_ms' },
  migration(SERVICE, {
    ...{ version: 2, name: 'net', runsBeside: 1 },
    sql: `alter table compliance.orders add column net numeric;
      update compliance.orders set net = net_total;
      ${alike('compliance.orders', 'compliance.alike_net', ['net_total', 'net'])}`,
  }),
  { path: PLAIN, from: 'total, net_total, total_vat', to: 'total, net_total, net, total_vat' },
  { path: PLAIN, from: '(p.sent).net_total', to: '(p.sent).net_total, (p.sent).net' },
  { path: 'src/service/orders/orders.ts', from: 'net_total: netTotal', to: 'net: netTotal' },
];

/** A made-up version 3 removes the old columns. */
const CONTRACTING: Edit[] = [
  migration(LEDGER, {
    ...{ version: 3, name: 'no answer_ms', runsBeside: 2 },
    sql: 'drop trigger alike on deliveries; drop function bridge.alike_ms(); alter table deliveries drop column answer_ms;',
  }),
  migration(SERVICE, {
    ...{ version: 3, name: 'no net_total', runsBeside: 2 },
    sql: `drop trigger alike on compliance.orders; drop function compliance.alike_net();
      alter table compliance.orders drop column net_total, alter column net set not null;`,
  }),
  { path: PLAIN, from: 'net_total, net,', to: 'net,' },
  { path: PLAIN, from: '(p.sent).net_total, ', to: '' },
];

/** Sources of a made-up later release, whose schemas have another version: each edit is one that a change of the database takes. */
export async function plantBuild(version: 2 | 3): Promise<PlantedTree & { main: string }> {
  const files: Record<string, string> = {};
  for (const { path, from, to } of version === 2 ? EXPANDING : [...EXPANDING, ...CONTRACTING]) {
    const text = files[path] ?? readFileSync(join(root, path), 'utf8');
    const edited = text.replace(from, () => to);
    if (edited === text) throw new Error(`${path} has no ${String(from)} to change`);
    files[path] = edited;
  }
  const tree = await plantTree(files, ['src', 'scripts/build', 'package.json', 'package-lock.json']);
  return { ...tree, main: join(tree.root, 'src/main.ts') };
}
