import { z } from 'zod';

/** What only the database knows of a recorded order: another one of its shop that the same payment paid, and that its currency is in no sheet of the bank. */
export const orderDoubts = z.object({ twin: z.string().nullable(), hasNoRates: z.boolean() });
export type OrderDoubts = z.output<typeof orderDoubts>;

/** An `orderDoubts`, as an expression; `id`: the column with the order's id. */
export function doubtsOf(id: string): string {
  return `(select json_build_object('twin', d.twin, 'hasNoRates', coalesce(d.has_no_rates, false)) from compliance.order_doubts(${id}) d)`;
}
