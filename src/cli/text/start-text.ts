import type { Counted, StartPreview } from '../../operations/trial/preview-start.ts';

/** What starting would record, for the terminal. */
export function previewLines({ from, known, asked, unknown, whyUnknown }: StartPreview): string[] {
  return [
    `Orders paid from ${from} on that would be recorded: ${counted(known)}.`,
    ...asked.map(({ code, orders }) => `A person would be asked about ${orders} more (${code}).`),
    ...(unknown === null || unknown.orders === 0 ? [] : [`The store has more, which no webhook told: ${counted(unknown)} by its list.`]),
    ...(whyUnknown === null ? [] : [`What else the store has is not known: ${whyUnknown.en}.`]),
  ];
}

function counted({ orders, sum }: Counted): string {
  return sum === null ? String(orders) : `${orders}, ${sum}`;
}
