import type { Request } from 'express';
import type { Form } from './page.ts';

export function formOf({ body }: Pick<Request, 'body'>): Form {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? body : {};
  const all = (name: string) => [fields[name] ?? []].flat().filter((value) => typeof value === 'string');
  return { all, text: (name) => (all(name)[0] ?? '').trim() };
}
