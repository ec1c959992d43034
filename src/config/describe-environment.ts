import { environment } from './environment.ts';

/** One environment variable, as the documentation shows it. `default` is its text, null if there is none. */
export type VariableDescription = { name: string; default: string | null; description: string; secret: boolean };

/** Every environment variable in the order of the schema. */
export function describeEnvironment(): VariableDescription[] {
  return Object.entries(environment.shape).map(([name, schema]) => {
    const { description = '', secret } = schema.meta() ?? {};
    const unset: unknown = schema.safeParse(undefined).data;
    return { name, default: unset === undefined ? null : String(unset), description, secret: secret === true };
  });
}
