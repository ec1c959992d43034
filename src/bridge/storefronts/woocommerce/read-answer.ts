import type { z } from 'zod';
import { Failure } from '../../order/failure.ts';

/** A body of the REST API by its schema. Throws `Failure('storefront.unreachable')` with the places that are not as expected. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => path.map(String).join('.') || 'the body').join(', ');
  throw new Failure('storefront.unreachable', `the store’s answer is not WooCommerce’s (${where}); check its URL and its security plugins`, {
    cause: parsed.error,
  });
}
