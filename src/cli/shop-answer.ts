import { z } from 'zod';

const fieldErrors = z.array(z.object({ path: z.string(), message: z.string() })).catch([]);
const problem = z.object({ title: z.string().optional(), detail: z.string().optional(), message: z.string().optional(), errors: fieldErrors }).partial();
const warned = z.object({ warnings: fieldErrors });

const MOST_TEXT = 500;

/** Why the compliance service refused, in its own words, field by field where it names them. */
export function refusal(status: number, body: unknown): string {
  const parsed = problem.safeParse(body);
  const { detail, message, title, errors = [] } = parsed.success ? parsed.data : {};
  const words = detail ?? message ?? title ?? (typeof body === 'string' && body !== '' ? body.slice(0, MOST_TEXT) : 'no reason given');
  const advice = status === 401 || status === 403 ? '; check the API key and its secret (`orderbridge doctor`)' : '';
  return [`the compliance service answered ${status}: ${words}${advice}`, ...errors.map(({ path, message: why }) => `  ${flagOf(path)}: ${why}`)].join('\n');
}

/** What was accepted, but looks wrong. */
export function warningsOf(body: unknown): string[] {
  const parsed = warned.safeParse(body);
  return parsed.success ? parsed.data.warnings.map(({ path, message }) => `${path}: ${message}`) : [];
}

/** A field as it is named in the documentation, with the flag that sets it. */
function flagOf(path: string): string {
  const [name = ''] = path.split('.');
  return name === '' ? 'body' : `${path} (--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)})`;
}
