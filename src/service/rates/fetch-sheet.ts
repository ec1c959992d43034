export type SheetRequest = { url: string; timeoutMs?: number; maxBytes?: number; signal?: AbortSignal };

/** `why` is a sentence for people: which host returned no sheet, and what happened. */
export type FetchedSheet = { ok: true; content: Uint8Array } | { ok: false; why: string };

const TIMEOUT_MS = 30_000;
const LARGEST = 5 * 1024 * 1024;
const MOST_REDIRECTS = 3;

/**
 * GETs a sheet of rates. Redirects are followed within the same host (with or without www), never from https to http. Failures are returned as `why`;
 * only the caller's own `signal` throws.
 */
export async function fetchSheet({ url, timeoutMs = TIMEOUT_MS, maxBytes = LARGEST, signal }: SheetRequest): Promise<FetchedSheet> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
  const start = withoutCredentials(new URL(url));
  const { host } = start;
  try {
    const response = await follow(start, either);
    if (typeof response === 'string') return { ok: false, why: `${host} ${response}` };
    const content = await readUpTo(response, maxBytes);
    return content === null ? { ok: false, why: `${host} sends more than ${maxBytes} bytes, which is no sheet of rates` } : { ok: true, content };
  } catch (thrown) {
    signal?.throwIfAborted();
    return { ok: false, why: `${host} gave no answer: ${timeout.aborted ? `it took more than ${timeoutMs / 1000} s` : networkWords(thrown)}` };
  }
}

// Fetch refuses credentials in an address, with an error text that contains them.
function withoutCredentials(url: URL): URL {
  url.username = '';
  url.password = '';
  return url;
}

/** The response with status 200, or words that follow the host's name. */
async function follow(start: URL, signal: AbortSignal): Promise<Response | string> {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops += 1) {
    const response = await fetch(url.href, { signal, redirect: 'manual', headers: { accept: 'application/xml, text/xml', 'user-agent': 'orderbridge' } });
    if (response.status === 200) return response;
    await response.body?.cancel();
    const location = isRedirect(response.status) ? response.headers.get('location') : null;
    if (location === null) return `answers ${response.status}`;
    const next = URL.parse(location, url.href);
    if (next === null || !isSamePlace(url, next)) return `redirects to ${next?.host || 'an address that is none'}; if that is right, set it as the address`;
    url = withoutCredentials(next);
  }
  return `redirects more than ${MOST_REDIRECTS} times`;
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

function isSamePlace(from: URL, to: URL): boolean {
  const bare = ({ host }: URL) => host.replace(/^www\./, '');
  const isSafe = to.protocol === 'https:' || to.protocol === from.protocol;
  return bare(from) === bare(to) && isSafe;
}

// Counted after decompression: a small response may expand to a large one.
async function readUpTo(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    // Leaving the loop ends the transfer.
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const NETWORK_WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'it refuses connections',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
};

// The error of fetch says only that it failed; its cause says why.
function networkWords(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return NETWORK_WORDS[code] ?? (cause instanceof Error ? cause.message || code : String(cause));
}
