import type { Reconciled, Side } from '../../operations/reconciliation/report.ts';
import { textTable } from '../../platform/terminal/text-table.ts';

/** What was compared of a connection, for people. */
export function reconciledText({ connection, from, to, currency, differences, healed, unchecked, ...sides }: Reconciled): string[] {
  const { store, ledger, service, file } = sides;
  const shown = [
    ['store', store],
    ['ledger', ledger],
    ['service', service],
    ['file', file],
  ] as const;
  return [
    `${connection}, orders sold from ${from} until ${to}${currency === null ? '' : ` in ${currency}`}`,
    ...textTable(
      ['side', 'orders', 'total'],
      shown.map(([name, side]) => [name, ...cells(side)]),
    ),
    ...(healed > 0 ? [`healed: ${healed}`] : []),
    ...unchecked.map((why) => `not checked: ${why}`),
    ...(differences.length === 0 ? ['No difference.'] : ['', ...differenceTable(differences)]),
  ];
}

function cells(side: Side | null): [string | null, string | null] {
  return side === null ? [null, null] : [String(side.orders), side.total];
}

function differenceTable(differences: Reconciled['differences']): string[] {
  return textTable(
    ['what', 'order', 'number', 'total', 'code', 'detail'],
    differences.map(({ kind, orderId, number, total, code, detail }) => [kind, orderId, number, total, code, detail]),
  );
}
