import express, { type Request, type RequestHandler } from 'express';
import type { Form } from './page.ts';

const FORM_BYTES = 256 * 1024;
const urlencoded = express.urlencoded({ extended: false, limit: FORM_BYTES, inflate: false, parameterLimit: 2_000 });

/** What can't be read is a form without fields. */
export const readForm: RequestHandler = (req, res, next) => urlencoded(req, res, () => next());

export function formOf({ body }: Pick<Request, 'body'>): Form {
  const fields: Record<string, unknown> = typeof body === 'object' && body !== null ? body : {};
  const all = (name: string) => [fields[name] ?? []].flat().filter((value) => typeof value === 'string');
  return { all, text: (name) => (all(name)[0] ?? '').trim() };
}

/** A form with files. `file` null: none of this name was chosen, or it is called otherwise than `….ending`. */
type Upload = Form & { file(name: string, ending: string): Promise<Uint8Array | null> };

/** Reads a form that was sent with files; null: it is none, or is larger than that. Only for who may send it: the body is read here. */
export async function uploadOf(req: Request, mostBytes: number): Promise<Upload | null> {
  const type = req.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return null;
  const content = await contentOf(req, mostBytes);
  if (content === null) return null;
  const data = await new Response(content, { headers: { 'content-type': type } }).formData().catch(() => null);
  if (data === null) return null;
  const all = (name: string) => data.getAll(name).filter((value) => typeof value === 'string');
  return { all, text: (name) => (all(name)[0] ?? '').trim(), file: (name, ending) => bytesOf(data.get(name), ending) };
}

async function contentOf(req: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(req.headers['content-length'] ?? 0) > mostBytes) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  const body: AsyncIterable<Buffer> = req;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > mostBytes) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** A file field that was left empty is a file without a name. */
async function bytesOf(value: ReturnType<FormData['get']>, ending: string): Promise<Uint8Array | null> {
  if (value === null || typeof value === 'string' || !value.name.toLowerCase().endsWith(`.${ending}`)) return null;
  return new Uint8Array(await value.arrayBuffer());
}
