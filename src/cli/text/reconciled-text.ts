import type { StoreNames } from '../../operations/connections/store-names.ts';
import type { Reconciled, Side } from '../../operations/reconciliation/report.ts';
import { localTime } from '../../platform/terminal/local-time.ts';
import { oneLine, textTable } from '../../platform/terminal/text-table.ts';

/** `width`: the columns of the terminal; undefined: it is none. */
type Around = { nameOf: StoreNames; width: number | undefined };

/** What was compared of a connection, for people. */
export function reconciledText({ connection, from, to, currency, differences, healed, unchecked, ...sides }: Reconciled, around: Around): string[] {
  const { store, ledger, service, file } = sides;
  const shown = [
    ['store', store],
    ['ledger', ledger],
    ['service', service],
    ['file', file],
  ] as const;
  return [
    `${oneLine(around.nameOf(connection))}, orders sold from ${localTime(from)} until ${localTime(to)}${currency === null ? '' : ` in ${currency}`}`,
    ...textTable(
      ['side', 'orders', 'total'],
      shown.map(([name, side]) => [name, ...cells(side)]),
    ),
    ...(healed > 0 ? [`healed: ${healed}`] : []),
    ...unchecked.map((why) => `not checked: ${why.en}`),
    ...(differences.length === 0 ? ['No difference.'] : ['', ...differenceTable(differences, around)]),
  ];
}

function cells(side: Side | null): [string | null, string | null] {
  return side === null ? [null, null] : [String(side.orders), side.total];
}

function differenceTable(differences: Reconciled['differences'], { width }: Around): string[] {
  const rows = differences.map(({ kind, orderId, number, total, code, detail }) => [kind, orderId, number, total, code, detail.en]);
  return textTable(['what', 'order', 'number', 'total', 'code', 'detail'], rows, { give: ['total'], wrap: 'detail', width });
}
