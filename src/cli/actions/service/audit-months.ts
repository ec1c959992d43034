import { monthsOf } from '../../../operations/months/month-board.ts';
import type { CliContext } from '../../../platform/terminal/context.ts';
import { printJson, printLines, printTable } from '../../../platform/terminal/print.ts';
import type { AuditDeps } from '../../../service/audit/month/generate-month.ts';
import type { ListedMonth } from '../../../service/audit/month/list-months.ts';
import type { Outstanding } from '../../../service/audit/summary/month-summary.ts';
import { moneyOf } from '../../text/money.ts';
import { plural } from '../../text/plural.ts';

export type Options = { shop: string; json?: true };

export async function list(context: CliContext, deps: AuditDeps, { shop, json }: Options): Promise<void> {
  const months = await monthsOf(deps, shop);
  if (json) return printJson(context, months);
  if (months.length === 0) return printLines(context, ['The shop has no order yet.']);
  const isIncomplete = months.some(({ outstanding, filedWithout }) => (outstanding ?? filedWithout) !== undefined);
  const rows = months.map(({ month, situation, lacks, orders, version, filedVersion, deadline, outstanding, filedWithout }) => [
    month,
    situationWords({ situation, lacks }),
    String(orders),
    versionsWords(version),
    filedVersion === null ? null : String(filedVersion),
    deadline,
    ...(isIncomplete ? [leftWords(outstanding ?? filedWithout)] : []),
  ]);
  const head = ['month', 'state', 'orders', 'versions', 'filed', 'due by', ...(isIncomplete ? (['paid, not recorded'] as const) : [])] as const;
  printTable(context, { header: head, rows, wrap: 'paid, not recorded', keep: ['month', 'state', 'due by'] });
}

type Situation = { situation: ListedMonth['situation']; lacks: number | undefined };

function situationWords({ situation, lacks }: Situation): string {
  if (situation === 'nothing') return 'nothing to file';
  if (situation === 'returns-only') return 'returns only';
  return lacks === undefined ? situation : `${situation}, lacks ${plural(lacks, 'change')}`;
}

function leftWords(left: Outstanding | undefined): string | null {
  return left === undefined ? null : `${left.orders} (${moneyOf(left)})`;
}

function versionsWords(last: number | null): string | null {
  return last === null || last === 1 ? last && String(last) : `1–${last}`;
}
