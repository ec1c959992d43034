import { z } from 'zod';
import { type Queryable, sealerOf } from '../../../platform/postgres/postgres.ts';
import { type RowShape, rowsOf } from '../../../platform/postgres/read-rows.ts';
import { openOrNull, type SealedPlace, unlessBroken } from '../../../platform/seal.ts';

type Column = 'email' | 'mail_to' | 'progress';

const placeOf = (column: Column, id: string): SealedPlace => ({ table: 'bridge.onboardings', column, id });

const text = z.string().nullable();

/** What a row of onboardings has sealed: mailboxes, and what was typed. */
export const sealedParts = { id: z.string(), email: text, mailTo: text, progress: text };
type SealedParts = { id: string; email: string | null; mailTo: string | null; progress: string | null };

export type StoredProgress = Record<string, unknown>;
export type OpenedParts<Of extends SealedParts> = Omit<Of, 'progress'> & { progress: StoredProgress };

/**
 * Rows with their parts opened. A mailbox that does not open is named by the row’s id, and gets no mail; of what was typed nothing is left then. `waits`: throws
 * `SealBroken` of what was typed and may open later, since it is written again.
 */
export function withParts<Of extends SealedParts>(db: Queryable, { table, schema }: RowShape<Of>, { waits = false } = {}): RowShape<OpenedParts<Of>> {
  const sealer = sealerOf(db);
  const mailbox = (column: Column, { id }: Of, sealed: string | null) =>
    sealed === null ? null : (openOrNull(sealer, sealed, placeOf(column, id)) ?? `${id}@does-not-open.invalid`);
  const typed = (sealed: string, at: SealedPlace) => (waits ? unlessBroken(() => sealer.open(sealed, at)) : openOrNull(sealer, sealed, at));
  const progressOf = ({ id, progress }: Of): StoredProgress => JSON.parse((progress === null ? null : typed(progress, placeOf('progress', id))) ?? '{}');
  const opened = (row: Of): OpenedParts<Of> => ({
    ...row,
    email: mailbox('email', row, row.email),
    mailTo: mailbox('mail_to', row, row.mailTo),
    progress: progressOf(row),
  });
  return rowsOf(table, schema.transform(opened));
}

/** A part as its column has it. */
export function sealedPart(db: Queryable, { id, column, plain }: { id: string; column: Column; plain: string | null }): string | null {
  return plain === null ? null : sealerOf(db).seal(plain, placeOf(column, id));
}
