import type { Request, Response } from 'express';
import express from 'express';
import type { z } from 'zod';
import { isSignedBy } from '../../contract/dialect.ts';
import { limits } from '../../contract/limits.ts';
import { fieldErrors } from '../../contract/schema-errors.ts';
import { isUuid } from '../../contract/uuid.ts';
import type { Caller, CallerLookup } from '../keys/api-keys.ts';
import { ENCODED, HttpProblem, invalidBody, TOO_LARGE } from './http-problem.ts';

/** A request whose sender is known and whose bytes are the sender's. */
type SignedRequest = { caller: Caller; body: Buffer };

// Without regard to type and compression: the signature is over these very bytes.
const raw = express.raw({ type: () => true, limit: limits.bodyBytes, inflate: false });
const utf8 = new TextDecoder('utf-8', { fatal: true });

// One wording for all three, so that an attacker can't learn which keys exist.
const UNAUTHORIZED = 'x-api-key is not known, or x-signature is missing or does not fit the body; check key, secret and what is signed';

/** Checks the key before it reads the body, and the signature before the body is parsed. Throws a `HttpProblem` (401, 413, 415). */
export async function readRequest(req: Request, res: Response, keys: CallerLookup): Promise<SignedRequest> {
  refuseByHeaders(req);
  const caller = await keys.find(req.get('x-api-key') ?? '');
  if (caller === undefined) throw new HttpProblem('unauthorized', UNAUTHORIZED);
  // A body that did not say its size and is too large could not be verified: to say so would say that the key exists.
  const body = await readBytes(req, res).catch(() => Promise.reject(new HttpProblem('unauthorized', UNAUTHORIZED)));
  if (!isTrusted(caller, body, req.get('x-signature'))) throw new HttpProblem('unauthorized', UNAUTHORIZED);
  return { caller, body };
}

// Before the key is looked up: anyone who asks gets the same answer.
function refuseByHeaders(req: Request): void {
  if (Number(req.get('content-length') ?? 0) > limits.bodyBytes) throw new HttpProblem('body-too-large', TOO_LARGE);
  const hasBody = req.get('content-length') !== undefined || req.get('transfer-encoding') !== undefined;
  if (hasBody && !/^(identity)?$/i.test(req.get('content-encoding') ?? '')) throw new HttpProblem('content-type-unsupported', ENCODED);
}

function isTrusted({ dialect, secret }: Caller, body: Buffer, signature: string | undefined): boolean {
  if (signature === undefined) return body.byteLength === 0 && dialect.signatureEmptyBody === 'omit';
  return isSignedBy({ body, signature, secret }, dialect);
}

/** The body's very bytes; none if there is no body. */
export function readBytes(req: Request, res: Response): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    raw(req, res, (error?: unknown) => (error === undefined ? resolve(Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)) : reject(error)));
  });
}

/** The parsed JSON. The content type may be absent, but no other type is accepted. Throws a `HttpProblem` (400, 415). */
export function readJson(req: Request, body: Buffer): unknown {
  const type = req.get('content-type');
  if (type !== undefined && !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type)) {
    throw new HttpProblem('content-type-unsupported', 'send Content-Type: application/json, in UTF-8');
  }
  const { text, json } = parsed(body);
  // Of two prices the parser keeps the last one, without a word.
  const repeated = repeatedMember(text);
  if (repeated !== null) throw invalidBody([{ path: repeated, message: 'comes twice' }]);
  return json;
}

// The parser's error text would quote the body.
function parsed(body: Buffer): { text: string; json: unknown } {
  try {
    const text = utf8.decode(body);
    return { text, json: JSON.parse(text) };
  } catch {
    throw new HttpProblem('body-not-json', 'send one JSON object, in UTF-8');
  }
}

/** Null if there is none. Throws a `HttpProblem` (400) for one that is empty or too long. */
export function readIdempotencyKey(req: Request): string | null {
  const key = req.get('idempotency-key');
  if (key === undefined) return null;
  if (key !== '' && key.length <= limits.idempotencyKey) return key;
  throw new HttpProblem('request-invalid', `Idempotency-Key must have 1 to ${limits.idempotencyKey} characters`);
}

/** The id in the path; undefined if it is no UUID, which no record has. */
export function readId(req: Request): string | undefined {
  const id = req.params['id'];
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}

/** The body in its shape, or a `HttpProblem` that names every bad field. */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const parsed = schema.safeParse(body, { reportInput: true });
  if (!parsed.success) throw invalidBody(fieldErrors(parsed.error.issues));
  return parsed.data;
}

const PATH_LENGTH = 200;

type Level = { names: Set<string> | null; name: string; index: number };

/** The path ("lineItems[0].price") of the first member that comes twice in its object; null if there is none. `json` must be valid JSON. */
export function repeatedMember(json: string): string | null {
  const levels: Level[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char !== '"') {
      move(levels, char);
      continue;
    }
    const end = endOfString(json, at);
    if (isName(json, end) && isRepeated(levels.at(-1), json.slice(at, end))) return pathOf(levels);
    at = end - 1;
  }
  return null;
}

function move(levels: Level[], char: string | undefined): void {
  if (char === '{') levels.push({ names: new Set(), name: '', index: 0 });
  else if (char === '[') levels.push({ names: null, name: '', index: 0 });
  else if (char === '}' || char === ']') levels.pop();
  else if (char === ',') next(levels.at(-1));
}

function next(level: Level | undefined): void {
  if (level !== undefined) level.index += 1;
}

/** Notes the name (as JSON) of a member of this object. */
function isRepeated(level: Level | undefined, name: string): boolean {
  if (level?.names == null) return false;
  level.name = String(JSON.parse(name));
  const size = level.names.size;
  return level.names.add(level.name).size === size;
}

/** The place after its closing quote. */
function endOfString(json: string, start: number): number {
  let at = json.indexOf('"', start + 1);
  while (isEscaped(json, at)) at = json.indexOf('"', at + 1);
  return at + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let slashes = 0;
  while (json[quote - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

const SPACE = /\s*/y;

function isName(json: string, end: number): boolean {
  SPACE.lastIndex = end;
  SPACE.test(json);
  return json[SPACE.lastIndex] === ':';
}

function pathOf(levels: readonly Level[]): string {
  const path = levels.reduce((text, { names, name, index }) => (names === null ? `${text}[${index}]` : `${text}${text === '' ? '' : '.'}${name}`), '');
  return path.slice(-PATH_LENGTH);
}
