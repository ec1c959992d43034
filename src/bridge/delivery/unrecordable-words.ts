import type { AcceptedDelivery } from './jobs.ts';

const PLAIN = /^[\w.]{1,60}$/;
const MOST_CAUSES = 3;

/** Why a delivery can't be recorded, for a person: class and code of the error. Its message may contain personal data. */
export function unrecordableWords({ body, normalized }: AcceptedDelivery, thrown: unknown): string {
  const why = `recording it failed for an hour with ${classOf(thrown)}`;
  if (body !== null) return why;
  if (normalized.kind === 'privacy') return `${why}; a privacy request: it was not carried out, and must be sent again by the store`;
  return `${why}; its body was not kept: save the order in the store, which sends it again`;
}

function classOf(thrown: unknown, depth = 0): string {
  if (!(thrown instanceof Error)) return 'no error';
  const code = 'code' in thrown && typeof thrown.code === 'string' && PLAIN.test(thrown.code) ? ` ${thrown.code}` : '';
  const because = thrown.cause instanceof Error && depth < MOST_CAUSES ? `, because of ${classOf(thrown.cause, depth + 1)}` : '';
  return `${thrown.constructor.name}${code}${because}`;
}
