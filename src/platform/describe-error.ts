import { withSourcePlaces } from './source-places.ts';

/** The parts of an error that are logged. */
export type ErrorDescription = { type: string; message: string; code?: string; stack?: string; cause?: ErrorDescription; errors?: ErrorDescription[] };

const MAX_DEPTH = 5;
const MAX_ERRORS = 5;

/** Named fields only: an HTTP client's error also carries headers and bodies, a database's the row that it stumbled over. */
export function describeError(thrown: unknown, depth = 0): ErrorDescription {
  if (!(thrown instanceof Error)) return { type: typeof thrown, message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  const description: ErrorDescription = { type: name, message };
  if ('code' in thrown && (typeof thrown.code === 'string' || typeof thrown.code === 'number')) description.code = String(thrown.code);
  if (stack !== undefined) description.stack = withSourcePlaces(stack);
  if (depth >= MAX_DEPTH) return description;
  if (cause !== undefined && cause !== null) description.cause = describeError(cause, depth + 1);
  if (thrown instanceof AggregateError) description.errors = thrown.errors.slice(0, MAX_ERRORS).map((error) => describeError(error, depth + 1));
  return description;
}
