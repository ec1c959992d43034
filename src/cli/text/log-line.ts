import { z } from 'zod';
import { oneLine } from '../../platform/terminal/text-table.ts';

const line = z.looseObject({ time: z.string(), level: z.string(), msg: z.string().optional(), event: z.string().optional() });

type Line = z.output<typeof line>;

const LOUD = ['warn', 'error', 'fatal'];

/** Shown by the rest of the line, or of no use to a person who watches. */
const UNSAID = new Set([
  'time',
  'level',
  'name',
  'msg',
  'event',
  'requestId',
  'client',
  'ms',
  'recordedMs',
  'platform',
  'connection',
  'order',
  'orderId',
  'store',
]);

/** A line of the log for a person at a terminal: "22:13:53 order 1042 in review payment.unmapped corner.example"; what is no line of ours stays as it is. */
export function logLine(json: string): string {
  const parsed = line.safeParse(parsedJson(json));
  if (!parsed.success) return json.trimEnd();
  const { time, level } = parsed.data;
  const at = new Date(time).toTimeString().slice(0, 8);
  return [at, ...(LOUD.includes(level) ? [level.toUpperCase()] : []), ...wordsOf(parsed.data)].filter((word) => word !== '').join(' ');
}

function wordsOf(said: Line): string[] {
  switch (said.event) {
    case 'order.processed':
      return ['order', text(said['orderId'] ?? said['order']), attemptWords(said), text(said['store'])];
    case 'webhook':
      return [said.msg ?? '', text(said['code'] ?? said['what']), said['orderId'] == null ? '' : `order ${text(said['orderId'])}`, text(said['connection'])];
    default:
      return [said.msg ?? said.event ?? '', fieldsOf(said)];
  }
}

function attemptWords({ msg = '', state, detail }: Line): string {
  if (typeof state !== 'string') return msg.replace(/^order /, '');
  return detail == null ? state : `${state} ${text(detail)}`;
}

function fieldsOf(said: Line): string {
  const fields = Object.entries(said).filter(([name, value]) => !UNSAID.has(name) && value != null && value !== '');
  return fields.map(([name, value]) => (name === 'err' ? errorOf(value) : `${name}=${text(value)}`)).join(' ');
}

const described = z.looseObject({ message: z.string() });

function errorOf(value: unknown): string {
  const error = described.safeParse(value);
  return error.success ? `(${oneLine(error.data.message)})` : '';
}

function text(value: unknown): string {
  if (value == null) return '';
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value));
}

function parsedJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return null;
  }
}
