import { z } from 'zod';
import { classify, type Outcome, type Reply } from '../order/decisions/answer.ts';
import { Failure } from '../order/facts/failure.ts';
import { createRecordReader } from './create-record-reader.ts';
import type { ComplianceClient, RecordReader, RequestTimeouts } from './port.ts';
import {
  type Answered,
  type CallDeps,
  type CallRequest,
  errorWords,
  NoAnswer,
  NotSecure,
  openAgents,
  parsedText,
  retryAfterMs,
  retryCall,
  type SignedCall,
  sendCall,
  type TraceCall,
} from './signed-call.ts';

type Options = {
  timeouts: RequestTimeouts;
  /** Why an address may not be called: the key would go in the clear; null: it may. */
  whyInsecure(address: string): string | null;
  /** Absent: there are no traces. */
  traced?: TraceCall | undefined;
};

/** The bridge's client: signs exact bytes, keeps connections alive, and turns every result into a `Reply`. */
export function createComplianceClient({ timeouts, whyInsecure, traced }: Options): ComplianceClient & RecordReader & AsyncDisposable {
  const agents = openAgents();
  const { totalMs: withinMs } = timeouts;
  const caller: CallDeps = { agents, timeouts, whyInsecure, ...(traced && { traced }) };

  return {
    ...createRecordReader(caller),
    ...extension(caller),
    createOrder: (endpoint, { body, idempotencyKey }, signal) => {
      const call: SignedCall = { method: 'POST', path: '/order', body, headers: { 'idempotency-key': idempotencyKey } };
      return retryCall((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { mayRepeat: neverLeft, isConclusive: () => true, withinMs, signal });
    },
    deleteOrder: (endpoint, complianceId, signal) => {
      const call: SignedCall = { method: 'DELETE', path: `/order/${encodeURIComponent(complianceId)}` };
      return retryCall((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { ...leavesOpen('delete'), withinMs, signal });
    },
    createReceipt: (endpoint, complianceId, signal) => {
      const call: SignedCall = { method: 'POST', path: `/order/${encodeURIComponent(complianceId)}/receipt` };
      return retryCall((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { ...leavesOpen('receipt'), withinMs, signal });
    },
    async shop(endpoint, { method, id, body, idempotencyKey }) {
      const path = id === undefined ? '/shop' : `/shop/${encodeURIComponent(id)}`;
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
      try {
        const { status, text } = await sendCall(caller, { endpoint, call: { method, path, body: JSON.stringify(body), headers } });
        return { status, body: parsedText(text) };
      } catch (thrown) {
        if (thrown instanceof NotSecure) throw new Failure('compliance.insecure', thrown.message);
        // Not the error itself as the cause: it carries the headers with the key.
        throw new Failure('compliance.unreachable', `${endpoint.baseUrl} gave no answer (${errorWords(thrown)}); check COMPLIANCE_API_URL`);
      }
    },
    async [Symbol.asyncDispose]() {
      agents[Symbol.dispose]();
    },
  };
}

/** What our own service takes beyond the documented interface. */
function extension(caller: CallDeps): Pick<ComplianceClient, 'putOutstanding' | 'forgetBuyer' | 'putDelivered'> {
  return {
    putOutstanding: (endpoint, report, signal) => replyTo(caller, { endpoint, call: outstandingCall(report), signal }),
    forgetBuyer: (endpoint, complianceId, signal) => replyTo(caller, { endpoint, call: ofOrder('POST', complianceId, 'forget-buyer'), signal }),
    putDelivered: (endpoint, { complianceId, body }, signal) =>
      replyTo(caller, { endpoint, call: { ...ofOrder('PUT', complianceId, 'delivered'), body }, signal }),
  };
}

function outstandingCall({ shopId, body }: { shopId: string; body: string }): SignedCall {
  return { method: 'PUT', extension: true, path: `/shops/${encodeURIComponent(shopId)}/outstanding`, body };
}

function ofOrder(method: 'POST' | 'PUT', complianceId: string, what: string): SignedCall {
  return { method, extension: true, path: `/orders/${encodeURIComponent(complianceId)}/${what}` };
}

function neverLeft(reply: Reply): boolean {
  return reply.kind === 'not-sent';
}

const CONCLUSIVE: ReadonlySet<Outcome> = new Set(['deleted', 'gone', 'disbelieved', 'receipt-got', 'unknown']);

/** Deletes and receipts may be repeated, whether or not they arrived. */
function leavesOpen(step: 'delete' | 'receipt') {
  return {
    mayRepeat: (reply: Reply) => reply.kind === 'not-sent' || classify(step, reply) === 'unknown',
    isConclusive: (reply: Reply) => CONCLUSIVE.has(classify(step, reply)),
  };
}

async function replyTo(caller: CallDeps, request: CallRequest): Promise<Reply> {
  try {
    return readAnswer(await sendCall(caller, request));
  } catch (error) {
    if (error instanceof NotSecure) return { kind: 'not-sent', error: error.message };
    const isSent = !(error instanceof NoAnswer) || error.mayHaveLeft;
    return { kind: isSent ? 'lost' : 'not-sent', error: errorWords(error) };
  }
}

const LONGEST_DETAIL = 300;
/** Of an answer, which may have a megabyte. */
const MOST_READ = 20_000;
const LONGEST_ADDRESS = 320;
const MOST_KEYS = 100;
const LONGEST_KEY = 100;
// One more than a date has.
const PHONE_DIGITS = 9;

const id = z.string().min(1).max(200).optional().catch(undefined);
const shape = z.object({
  id,
  standingId: z.uuid().optional().catch(undefined),
  existingId: z.uuid().optional().catch(undefined),
  orderId: z.uuid().optional().catch(undefined),
  title: z.string().optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
  errors: z
    .array(z.object({ path: z.string().optional(), message: z.string() }))
    .optional()
    .catch(undefined),
});
type Body = z.output<typeof shape>;

/** Reads an answer: its id, or the service's own message in short, without any data of the buyer. */
function readAnswer({ status, text, headers }: Answered): Reply {
  const body = readBody(text);
  const ok = status >= 200 && status < 300;
  return {
    kind: 'answered',
    status,
    id: ok ? (body?.id ?? null) : null,
    standingId: status === 409 ? standingOf(body) : null,
    detail: ok ? '' : detailOf(status, body, text),
    retryAfterMs: retryAfterMs(headers['retry-after']),
    ...(status === 404 || status === 410 ? keysOf(text) : {}),
  };
}

const object = z.record(z.string().max(LONGEST_KEY), z.unknown());

/** Names alone, never values; nothing of a body that is no object. */
function keysOf(text: string): { keys?: readonly string[] } {
  try {
    const parsed = object.safeParse(JSON.parse(text));
    const keys = parsed.success ? Object.keys(parsed.data) : [];
    return !parsed.success || keys.length > MOST_KEYS ? {} : { keys: keys.toSorted() };
  } catch {
    return {};
  }
}

function readBody(text: string): Body | null {
  try {
    const parsed = shape.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function standingOf(body: Body | null): string | null {
  const candidate = body?.standingId ?? body?.existingId ?? body?.orderId ?? body?.id;
  return candidate !== undefined && z.uuid().safeParse(candidate).success ? candidate : null;
}

function detailOf(status: number, body: Body | null, text: string): string {
  const fields = (body?.errors ?? []).map(({ path, message }) => (path === undefined ? message : `${path}: ${message}`));
  const words = body === null ? [text] : [body.title, body.detail, body.message, ...fields];
  const said = words.filter((word) => word !== undefined && word.trim() !== '').join('; ');
  const read = said.slice(0, MOST_READ);
  const clean = withoutPeople(body === null ? read.replace(/<[^<>]*>/g, ' ') : read);
  // Where it was cut, it may end in half an address.
  const detail = said.length > MOST_READ ? clean.slice(0, -LONGEST_ADDRESS) : clean;
  return `${status} ${detail}`.trim().slice(0, LONGEST_DETAIL);
}

/** Services like to repeat what they were sent. No pattern begins anew within a word or a number: that would take the square of its length. */
function withoutPeople(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<![^\s"'<>(),;:])[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '[e-mail]')
    .replace(/(?<![\w-])\+?\d(?:([\d\s()/.-]{6,}\d)(?![\w-])|[\d\s()/.-]*)/g, (digits, rest?: string) =>
      rest === undefined || digits.replace(/\D/g, '').length < PHONE_DIGITS ? digits : '[number]',
    );
}
