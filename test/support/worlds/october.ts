import { gunzipSync } from 'node:zlib';
import type { AuditDeps, Generation } from '../../../src/service/audit/month/generate-month.ts';
import type { AuditWorld } from './audit-world.ts';

/** A day on which the shops of these tests sell. */
export const OCTOBER = '2026-10-20T10:00:00Z';
/** The shop's day, within the term of October's file. */
export const NOVEMBER_IN_TERM = '2026-11-10T10:00:00Z';

/** The n-th order of 20 October. */
export function october(n: number, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { internalId: `id-${n}`, internalNumber: `#${n}`, internalCreatedAt: '2026-10-20T10:15:00+03:00', ...changes };
}

/** The parts that make files in this world: its clock, a quarter of an hour for replacements. */
export function auditDeps({ server, now }: AuditWorld): AuditDeps {
  return { pool: server.pool, now, currency: null, replacementWaitMs: 15 * 60_000 };
}

/** The bytes of the version that was generated. */
export async function contentOf({ server }: AuditWorld, generation: Generation): Promise<Buffer> {
  if (generation.kind !== 'generated') throw new Error(`the month is ${generation.kind}: ${JSON.stringify(generation)}`);
  const { rows } = await server.pool.query('select content from compliance.audit_file_chunks where file_id = $1 order by n', [generation.file.id]);
  return Buffer.concat(rows.map(({ content }) => gunzipSync(content)));
}
