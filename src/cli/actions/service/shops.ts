import type { Core } from '../../../app/core.ts';
import { knownShop } from '../../../operations/service/shops.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { localTime } from '../../../platform/terminal/local-time.ts';
import { note, type PrintedTable, printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import { oneLine, textFields } from '../../../platform/terminal/text-table.ts';
import { listShops } from '../../../service/reading/read-shops.ts';
import type { ShopDto } from '../../../service/shops/shop-dto.ts';

export type ListOptions = { limit: number; json?: true };

export async function list(context: CliContext, { pool }: Core, { limit, json }: ListOptions): Promise<void> {
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

export async function show(context: CliContext, core: Core, { id, json }: { id: string; json?: true }): Promise<void> {
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
