import { z } from 'zod';

const fieldErrors = z.array(z.object({ path: z.string(), message: z.string() })).catch([]);
const problem = z
  .object({ type: z.string().optional(), title: z.string().optional(), detail: z.string().optional(), message: z.string().optional(), errors: fieldErrors })
  .partial();
const warned = z.object({ warnings: fieldErrors });

/** A message of the service about one field, named as in its documentation. */
export type FieldWords = { path: string; message: string };

const MOST_TEXT = 500;

/** Why the compliance service refused, in its own words, field by field where it names them. `type`: of the problem, if it has one. */
export function readRefusal(body: unknown): { type: string | null; words: string; fields: FieldWords[] } {
  const parsed = problem.safeParse(body);
  const { type = null, detail, message, title, errors = [] } = parsed.success ? parsed.data : {};
  const words = detail ?? message ?? title ?? (typeof body === 'string' && body !== '' ? body.slice(0, MOST_TEXT) : 'no reason given');
  return { type, words, fields: errors };
}

/** Fields that were accepted, but look wrong. */
export function readWarnings(body: unknown): FieldWords[] {
  const parsed = warned.safeParse(body);
  return parsed.success ? parsed.data.warnings : [];
}
