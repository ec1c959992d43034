import type { IncomingMessage, ServerResponse } from 'node:http';

type BodyReading = {
  /** Most bytes of a body. */
  limit: number;
  /** How long the whole body may take, not counting the wait for memory. */
  withinMs: number;
  /** Bytes that are read without being reserved. */
  free: number;
  /** Waits until so many bytes may be held in memory; false: they may not. Nothing is read meanwhile. */
  reserve(bytes: number): Promise<boolean>;
};

type BodyRead = { ok: true; body: Buffer } | { ok: false; why: 'too-large' | 'incomplete' | 'no-capacity' };

const TOO_LARGE: BodyRead = { ok: false, why: 'too-large' };
const INCOMPLETE: BodyRead = { ok: false, why: 'incomplete' };
const NO_CAPACITY: BodyRead = { ok: false, why: 'no-capacity' };

/** The declared length of a body in bytes; null: it is sent in chunks. */
export function declaredLength({ headers }: Pick<IncomingMessage, 'headers'>): number | null {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;
}

/** Reads a body whole, as it was sent. What is not read is left where it is; `incomplete`: it was broken off, or took too long. */
export function readBody(request: IncomingMessage, { limit, withinMs, free, reserve }: BodyReading): Promise<BodyRead> {
  const declared = declaredLength(request);
  if (declared !== null && declared > limit) return Promise.resolve(TOO_LARGE);
  // It came with its head, as most do: nothing is waited for.
  const isThere = request.complete && !request.destroyed && request.readableLength <= Math.min(free, limit);
  if (isThere) return Promise.resolve({ ok: true, body: request.read() ?? Buffer.alloc(0) });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let isReserved = false;
    let isDone = false;
    let timer: NodeJS.Timeout | undefined;
    const finish = (read: BodyRead) => {
      isDone = true;
      clearTimeout(timer);
      request.off('data', take).off('end', whole).off('close', brokenOff).pause();
      resolve(read);
    };
    const whole = () => finish({ ok: true, body: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks) });
    const brokenOff = () => finish(INCOMPLETE);
    const goOn = () => {
      if (isDone) return;
      timer = setTimeout(brokenOff, withinMs);
      request.resume();
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) return finish(TOO_LARGE);
      chunks.push(chunk);
      if (size <= free || isReserved) return;
      isReserved = true;
      clearTimeout(timer);
      request.pause();
      void reserve(declared ?? limit).then((isThere) => (isThere ? goOn() : finish(NO_CAPACITY)));
    };
    // A request that breaks off emits an error, too.
    request.on('error', () => undefined);
    request.on('data', take).on('end', whole).on('close', brokenOff);
    goOn();
  });
}

/** How much of an unwanted body is thrown away, and for how long: a sender that is cut off while it sends may not see the answer. */
const MOST_BYTES = 6 * 1024 * 1024;
const MOST_MS = 2_000;

/** True if something of the request's body was not read. */
export function isBodyLeft(request: IncomingMessage): boolean {
  return !request.complete && declaredLength(request) !== 0;
}

/** Answers a request whose body is not wanted, and closes the connection; headers and status are set before. */
export function answerAndClose(request: IncomingMessage, response: ServerResponse, text: string): void {
  response.setHeader('Connection', 'close');
  response.setHeader('Content-Length', Buffer.byteLength(text));
  response.write(text);
  let discarded = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', discard).off('end', finish).off('close', finish);
    response.end();
  };
  const timer = setTimeout(finish, MOST_MS);
  const discard = ({ length }: Buffer) => {
    discarded += length;
    if (discarded > MOST_BYTES) finish();
  };
  if (request.destroyed) return finish();
  request.on('error', () => undefined);
  request.on('data', discard).on('end', finish).on('close', finish).resume();
}
