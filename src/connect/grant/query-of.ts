import type { Request } from 'express';

/** The query as it came, without its question mark: what is signed of it. */
export function queryOf({ originalUrl }: Request): string {
  const at = originalUrl.indexOf('?');
  return at < 0 ? '' : originalUrl.slice(at + 1);
}

/** Empty: the query does not have it, or has it twice. */
export function textOf({ query }: Request, name: string): string {
  const value = query[name];
  return typeof value === 'string' ? value : '';
}
