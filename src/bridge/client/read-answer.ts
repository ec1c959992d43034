import { z } from 'zod';
import type { Reply } from '../order/outcome.ts';
import { retryAfterMs } from './retry-after.ts';

type Answer = { status: number; text: string; headers: Record<string, string | string[] | undefined> };

const LONGEST_DETAIL = 300;
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
export function readAnswer({ status, text, headers }: Answer): Reply {
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
  const words = body === null ? [text.replace(/<[^>]*>/g, ' ')] : [body.title, body.detail, body.message, ...fields];
  const said = words.filter((word) => word !== undefined && word.trim() !== '').join('; ');
  return `${status}${said === '' ? '' : ` ${withoutPeople(said)}`}`.slice(0, LONGEST_DETAIL);
}

/** Services like to repeat what they were sent. */
function withoutPeople(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[^\s"'<>(),;:]+@[^\s"'<>(),;:]+/g, '[e-mail]')
    .replace(/(?<![\w-])\+?\d[\d\s()/.-]{6,}\d(?![\w-])/g, (digits) => (digits.replace(/\D/g, '').length < PHONE_DIGITS ? digits : '[number]'));
}
