import type { z } from 'zod';
import { fieldErrors } from '../../contract/schema-errors.ts';
import { invalidBody } from './http-problem.ts';

/** The body in its shape, or a `HttpProblem` that names every bad field. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (!parsed.success) throw invalidBody(fieldErrors(parsed.error.issues));
  return parsed.data;
}
