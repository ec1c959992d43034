import { Command } from 'commander';
import type { Core } from '../../../app/core.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../../platform/terminal/text-table.ts';
import type { ShopDto } from '../../../service/shops/shop-dto.ts';
import { wholeNumber } from '../../input/arguments.ts';
import { withService } from '../../with-core.ts';

export function shopsCommand(context: CliContext): Command {
  const shops = new Command('shops').summary('list and show shops').description('Shows the shops of our own compliance service, of all API keys.');
  shops
    .command('list')
    .summary('list shops')
    .description('Lists the shops of all API keys, oldest first.')
    .option('--limit <n>', 'how many at most', wholeNumber, 1_000)
    .option('--json', 'print JSON: an array of shops')
    .action((options: ListOptions) => withService(context, ({ core }) => list(context, core, options)));
  shops
    .command('show')
    .argument('<id>', 'id of the shop')
    .summary('show a shop')
    .description('Shows all fields of a shop.')
    .option('--json', 'print JSON')
    .action((id: string, options: { json?: true }) => withService(context, ({ core }) => show(context, core, { id, ...options })));
  return shops;
}

type ListOptions = { limit: number; json?: true };

async function list(context: CliContext, { pool }: Core, { limit, json }: ListOptions): Promise<void> {
  const { listShops } = await import('../../../service/reading/read-shops.ts');
  const { items, next } = await listShops(pool, { limit });
  if (json) printJson(context, items);
  else if (items.length === 0) printLines(context, ['There is no shop.']);
  else printTable(context, shopsTable(items));
  if (next !== null) note(context, `There are more than ${limit} shops; raise --limit.`);
}

function shopsTable(shops: readonly ShopDto[]): PrintedTable {
  return {
    header: ['name', 'domain', 'company', 'number', 'day', 'made', 'id'],
    rows: shops.map(({ id, name, test, domain, companyUic, nraNumber, auditGenerationDay, createdAt }) => [
      test === true ? `${name} (test)` : name,
      domain,
      companyUic,
      nraNumber,
      String(auditGenerationDay),
      localTime(createdAt),
      id,
    ]),
    give: ['made', 'day', 'number', 'domain'],
    keep: ['id'],
  };
}

async function show(context: CliContext, core: Core, { id, json }: { id: string; json?: true }): Promise<void> {
  const { knownShop } = await import('../../../operations/service/shops.ts');
  const shop = await knownShop(core, id);
  if (json) return printJson(context, shop);
  const { warnings, earlier, ...fields } = shop;
  printLines(
    context,
    textFields(Object.entries(fields).map(([name, value]) => [name, oneLine(Array.isArray(value) ? value.join(', ') : String(value ?? '')) || '-'])),
  );
  for (const { before, ...borne } of earlier) printLines(context, ['', `Files of months before ${before} bear: ${oneLine(Object.values(borne).join(', '))}`]);
  for (const { path, message } of warnings) note(context, `Warning: ${path}: ${message}`);
}
