import got, { type Got, HTTPError } from 'got';
import { z } from 'zod';
import type { Dialect } from '../../contract/dialect.ts';
import { formatMoney, parseMoney } from '../../contract/money.ts';
import { decodeOrder } from '../../contract/order-dto.ts';
import type { TaxRecord } from '../../contract/record.ts';
import { totalsOf } from '../../contract/totals.ts';
import { Failure } from '../order/facts/failure.ts';
import type { Endpoint, Listed, ListedFile, ListedRecord, RecordQuery, RecordReader } from './port.ts';
import { type Answered, addressOf, type CallDeps, errorWords, headersOf, NotSecure, parsedText, type SignedCall, sendCall } from './signed-call.ts';

const PAGE = 100;
/** A hundred orders of a hundred lines. */
const LARGEST_PAGE = 32 * 1024 * 1024;
const LONGEST_MS = 60_000;
const ACCOUNTING_DECIMALS = 2;

// Our service leaves out what is null: what a record is, the decoder decides.
const any = z.unknown().optional();
const line = z.object({ name: any, quantity: any, price: any, discount: any, vatRate: any, vatGroup: any });
const ofRecord = z.object({
  ...{ internalId: any, internalNumber: any, internalCreatedAt: any, lineItems: z.array(line), paymentType: any },
  ...{ paymentProcessorName: any, transactionId: any, precision: any, currency: any, shopId: any },
});
const listedRecord = z.object({
  id: z.string(),
  documentNumber: z.string(),
  month: z.string().nullable(),
  accountingCurrency: z.string(),
  accountingTotal: z.number().nullable(),
});
const listedFile = z.object({ id: z.string(), month: z.string(), version: z.int(), cutAt: z.string(), monthState: z.string() });
const shopRead = z.object({ id: z.string() });
const page = z.object({ items: z.array(z.unknown()), next: z.string().nullable() });

/** Reads what our own compliance service lists. A service that answers in another way has no such list; one entry that can’t be read is a failure. */
export function createRecordReader(caller: CallDeps): RecordReader {
  const streams = streamsWith(caller);
  const pageOf = async <T>(endpoint: Endpoint, path: string, read: Reading<T>): Promise<Listed<T>> => {
    const parsed = page.safeParse(bodyOf(await get(caller, endpoint, { path, signal: read.signal })));
    if (!parsed.success) return 'not-listed';
    const items = parsed.data.items.map((dto) => read.item(dto) ?? unreadable(endpoint, dto));
    return { items, next: parsed.data.next };
  };
  return {
    listRecords: (endpoint, query, signal) => pageOf(endpoint, `/orders?${search(query)}`, { item: (dto) => readListed(dto, endpoint.dialect), signal }),
    listFiles: (endpoint, query, signal) =>
      pageOf<ListedFile>(endpoint, `/audit-files?${search(query)}`, { item: (dto) => listedFile.safeParse(dto).data ?? null, signal }),
    async readRecord(endpoint, complianceId, signal) {
      const answer = await get(caller, endpoint, { path: `/orders/${encodeURIComponent(complianceId)}`, signal });
      if (answer.status === 404 && isProblem(answer)) return null;
      return readListed(bodyOf(answer), endpoint.dialect) ?? 'not-listed';
    },
    async receiptPage(endpoint, complianceId) {
      const path = `/orders/${encodeURIComponent(complianceId)}/receipt`;
      const answer = await get(caller, endpoint, { path, signal: undefined, accept: 'text/html' });
      if (answer.status === 404 && isProblem(answer)) return null;
      return answer.status === 200 && `${answer.headers['content-type']}`.startsWith('text/html') ? answer.text : 'not-listed';
    },
    async knowsShop(endpoint, shopId, signal) {
      const answer = await get(caller, endpoint, { path: `/shops/${encodeURIComponent(shopId)}`, signal });
      if (answer.status === 404) return isProblem(answer) ? false : null;
      return shopRead.safeParse(bodyOf(answer)).success ? true : null;
    },
    fileContent: (endpoint, fileId, signal) => content({ caller, streams }, endpoint, { fileId, signal }),
  };
}

// Left out, it would be missed where the service has it.
function unreadable({ baseUrl }: Endpoint, dto: unknown): never {
  const { data } = z.object({ id: z.string() }).safeParse(dto);
  throw new Failure('compliance.unreachable', `${baseUrl} lists ${data === undefined ? 'something without an id' : data.id}, which can’t be read here`);
}

type Reading<T> = { item(dto: unknown): T | null; signal: AbortSignal | undefined };

function search({ shopId, month, after, internalId }: RecordQuery): string {
  const only = internalId === undefined ? {} : { internalId };
  const given = { shopId, limit: String(PAGE), ...only, ...(month === null ? {} : { month }), ...(after === null ? {} : { after }) };
  return new URLSearchParams(given).toString();
}

type Get = { path: string; signal: AbortSignal | undefined; accept?: string };

async function get(caller: CallDeps, endpoint: Endpoint, { path, signal, accept }: Get): Promise<Answered> {
  const call: SignedCall = { method: 'GET', path, extension: true, ...(accept === undefined ? {} : { headers: { accept } }) };
  try {
    const answer = await sendCall(caller, { endpoint, call, signal, leftMs: LONGEST_MS, mostBytes: LARGEST_PAGE });
    refuseFailure(endpoint, answer.status);
    return answer;
  } catch (thrown) {
    throw failureOf(endpoint, thrown);
  }
}

function refuseFailure({ baseUrl }: Endpoint, status: number): void {
  if (status === 401 || status === 403) throw new Failure('compliance.misconfigured', `${baseUrl} refuses the key (${status})`);
  if (status === 429 || status >= 500) throw new Failure('compliance.unreachable', `${baseUrl} answered ${status}`);
}

// Not the error itself as the cause: it carries the headers with the key.
function failureOf({ baseUrl }: Endpoint, thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  if (thrown instanceof NotSecure) return new Failure('compliance.insecure', thrown.message);
  return new Failure('compliance.unreachable', `${baseUrl} gave no answer (${errorWords(thrown)})`);
}

function bodyOf({ status, text }: Answered): unknown {
  return status === 200 ? parsedText(text) : null;
}

/** Our service's own 404 has a problem as its body; that of an address which it does not have names no order. */
function isProblem({ text }: Answered): boolean {
  return z.object({ type: z.string().regex(/not-found$/) }).safeParse(parsedText(text)).success;
}

function readListed(dto: unknown, dialect: Dialect): ListedRecord | null {
  const head = listedRecord.safeParse(dto);
  const sent = recordOf(dto, dialect);
  if (!head.success || sent === null) return null;
  const { record, shopId } = sent;
  const { id, documentNumber, month, accountingCurrency, accountingTotal } = head.data;
  const { total } = totalsOf({ lines: record.lineItems, precision: record.precision });
  const amount = accountingTotal === null ? null : accountingAmount(accountingTotal, dialect);
  return { id, shopId, internalId: record.internalId, documentNumber, month, total, accountingCurrency, accountingTotal: amount, record };
}

function recordOf(dto: unknown, dialect: Dialect): { record: TaxRecord; shopId: string } | null {
  const sent = ofRecord.safeParse(dto);
  if (!sent.success) return null;
  const decoded = decodeOrder(withoutAbsent(sent.data), dialect);
  return decoded.ok ? decoded.order : null;
}

function withoutAbsent({ lineItems, ...fields }: z.output<typeof ofRecord>): unknown {
  const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return { ...given(fields), lineItems: lineItems.map(given) };
}

function accountingAmount(amount: number, { amounts }: Dialect): string | null {
  if (amounts === 'minor') return formatMoney(BigInt(amount), ACCOUNTING_DECIMALS);
  const minor = parseMoney(String(amount), ACCOUNTING_DECIMALS);
  return minor === undefined ? null : formatMoney(minor, ACCOUNTING_DECIMALS);
}

/** For what must not be held in memory whole. */
function streamsWith({ agents: { http, https }, timeouts }: CallDeps): Got {
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

type Streaming = { caller: CallDeps; streams: Got };

async function* content({ caller, streams }: Streaming, endpoint: Endpoint, { fileId, signal }: { fileId: string; signal: AbortSignal | undefined }) {
  const call: SignedCall = { method: 'GET', path: `/audit-files/${encodeURIComponent(fileId)}/content`, extension: true, headers: { accept: '*/*' } };
  try {
    const options = { headers: headersOf(endpoint, call), ...(signal === undefined ? {} : { signal }) };
    for await (const bytes of streams.stream(addressOf(caller, endpoint, call), options)) if (bytes instanceof Uint8Array) yield bytes;
  } catch (thrown) {
    if (thrown instanceof HTTPError) throw new Failure('compliance.unreachable', `${endpoint.baseUrl} answered ${thrown.response.statusCode}`);
    throw failureOf(endpoint, thrown);
  }
}
