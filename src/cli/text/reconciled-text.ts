import type { StoreNames } from '../../operations/connections/store-names.ts';
import type { Reconciled, Side } from '../../operations/reconciliation/report.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';
import type { CliWords } from '../words/en.ts';

/** `width`: the columns of the terminal; undefined: it is none. */
type Around = { words: CliWords; nameOf: StoreNames; width: number | undefined };

/** What was compared of a connection, for people. */
export function reconciledText({ connection, from, to, currency, differences, healed, unchecked, ...sides }: Reconciled, around: Around): string[] {
  const { store, ledger, service, file } = sides;
  const { reconcile: say } = around.words.reading;
  const shown = [
    [say.sides.store, store],
    [say.sides.ledger, ledger],
    [say.sides.service, service],
    [say.sides.file, file],
  ] as const;
  return [
    `${say.head(oneLine(around.nameOf(connection)), localTime(from), localTime(to))}${currency === null ? '' : say.inCurrency(currency)}`,
    ...textTable(
      ['side', 'orders', 'total'],
      shown.map(([name, side]) => [name, ...cells(side)]),
    ),
    ...(healed > 0 ? [say.healed(healed)] : []),
    ...unchecked.map((why) => say.unchecked(why.en)),
    ...(differences.length === 0 ? [say.none] : ['', ...differenceTable(differences, around)]),
  ];
}

function cells(side: Side | null): [string | null, string | null] {
  return side === null ? [null, null] : [String(side.orders), side.total];
}

function differenceTable(differences: Reconciled['differences'], { width }: Around): string[] {
  const rows = differences.map(({ kind, orderId, number, total, code, detail }) => [kind, orderId, number, total, code, detail.en]);
  return textTable(['what', 'order', 'number', 'total', 'code', 'detail'], rows, { give: ['total'], wrap: 'detail', width });
}
