import got, { type Got } from 'got';
import { Failure } from '../order/failure.ts';
import { classify, type Outcome, type Reply } from '../order/outcome.ts';
import { createRecordReader } from './create-record-reader.ts';
import { type Agents, openAgents } from './exchange.ts';
import { NoAnswer } from './no-answer.ts';
import type { ComplianceClient, RecordReader, RequestTimeouts } from './port.ts';
import { readAnswer } from './read-answer.ts';
import { retryCall } from './retry-call.ts';
import { type Call, type Caller, type CallRequest, errorWords, NotSecure, parsedText, sendCall } from './send-call.ts';

type Options = {
  timeouts: RequestTimeouts;
  /** Why an address may not be called: the key would go in the clear; null: it may. */
  whyInsecure(address: string): string | null;
};

/** The bridge's client: signs exact bytes, keeps connections alive, and turns every result into a `Reply`. */
export function createComplianceClient({ timeouts, whyInsecure }: Options): ComplianceClient & RecordReader & AsyncDisposable {
  const agents = openAgents();
  const { totalMs: withinMs } = timeouts;
  const caller: Caller = { agents, timeouts, streams: streamsWith(agents, timeouts), whyInsecure };

  return {
    ...createRecordReader(caller),
    ...extension(caller),
    createOrder: (endpoint, { body, idempotencyKey }, signal) => {
      const call: Call = { method: 'POST', path: '/order', body, headers: { 'idempotency-key': idempotencyKey } };
      return retryCall((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { mayRepeat: neverLeft, isConclusive: () => true, withinMs, signal });
    },
    deleteOrder: (endpoint, complianceId, signal) => {
      const call: Call = { method: 'DELETE', path: `/order/${encodeURIComponent(complianceId)}` };
      return retryCall((leftMs) => replyTo(caller, { endpoint, call, signal, leftMs }), { ...leavesOpen('delete'), withinMs, signal });
    },
    createReceipt: (endpoint, complianceId, signal) => {
      const call: Call = { method: 'POST', path: `/order/${encodeURIComponent(complianceId)}/receipt` };
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

function streamsWith({ http, https }: Agents, timeouts: RequestTimeouts): Got {
  return got.extend({
    agent: { http, https },
    retry: { limit: 0 },
    followRedirect: false,
    decompress: false,
    timeout: {
      ...{ lookup: timeouts.connectMs, connect: timeouts.connectMs, secureConnect: timeouts.connectMs },
      ...{ response: timeouts.headersMs, request: timeouts.totalMs },
    },
  });
}

/** What our own service takes beyond the documented interface. */
function extension(caller: Caller): Pick<ComplianceClient, 'putOutstanding' | 'forgetBuyer' | 'putDelivered'> {
  return {
    putOutstanding: (endpoint, report, signal) => replyTo(caller, { endpoint, call: outstandingCall(report), signal }),
    forgetBuyer: (endpoint, complianceId, signal) => replyTo(caller, { endpoint, call: ofOrder('POST', complianceId, 'forget-buyer'), signal }),
    putDelivered: (endpoint, { complianceId, body }, signal) =>
      replyTo(caller, { endpoint, call: { ...ofOrder('PUT', complianceId, 'delivered'), body }, signal }),
  };
}

function outstandingCall({ shopId, body }: { shopId: string; body: string }): Call {
  return { method: 'PUT', extension: true, path: `/shops/${encodeURIComponent(shopId)}/outstanding`, body };
}

function ofOrder(method: 'POST' | 'PUT', complianceId: string, what: string): Call {
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

async function replyTo(caller: Caller, request: CallRequest): Promise<Reply> {
  try {
    return readAnswer(await sendCall(caller, request));
  } catch (error) {
    if (error instanceof NotSecure) return { kind: 'not-sent', error: error.message };
    const isSent = !(error instanceof NoAnswer) || error.mayHaveLeft;
    return { kind: isSent ? 'lost' : 'not-sent', error: errorWords(error) };
  }
}
