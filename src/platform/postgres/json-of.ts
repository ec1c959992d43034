import type { z } from 'zod';

/**
 * A schema of JSON that has a type already. `jsonOf<Receipt>()(schema)` compiles only if the schema takes all of the type and nothing else, so that
 * the two can't drift apart; where the type may depend on zod, infer it from the schema instead.
 */
export const jsonOf =
  <T>() =>
  <Schema extends z.ZodType<T>>(schema: [T] extends [z.output<Schema>] ? Schema : never): z.ZodType<T> =>
    schema;
