import { z } from 'zod';
import { BUYER } from './order-bodies.ts';
import { noneOf, type Verdict } from './verdict.ts';

/** Of the shop that is refused, somebody is told. */
const EXPECTED = ['destination.paused'];

const logLine = z.looseObject({ level: z.string(), msg: z.string(), event: z.string().optional(), err: z.looseObject({ message: z.string() }).optional() });

/** The log holds neither a secret nor a buyer, and nothing in it is a surprise to the program. */
export function checkLog(log: string, secrets: readonly string[]): Verdict[] {
  const buyer = new RegExp(BUYER);
  const lines = log.split('\n').filter((line) => line !== '');
  const leaks = lines.filter((line) => secrets.some((secret) => line.includes(secret)) || buyer.test(line));
  const errors = lines.flatMap(errorIn);
  const counted = [...Map.groupBy(errors, (words) => words)].map(([words, same]) => `${same.length} × ${words}`);
  return [
    {
      ...noneOf(
        'the log holds no secret and no buyer',
        leaks.map((line) => line.slice(0, 200)),
      ),
      figure: `${leaks.length} of ${lines.length} lines`,
    },
    { ...noneOf('no line of the log is an error', counted), figure: `${errors.length} of ${lines.length} lines` },
  ];
}

function errorIn(line: string): string[] {
  const parsed = logLine.safeParse(jsonOf(line));
  if (!parsed.success) return [line.slice(0, 200)];
  const { level, msg, event, err } = parsed.data;
  const isError = (level === 'error' || level === 'fatal') && !EXPECTED.includes(event ?? '');
  return isError ? [`${event ?? msg}: ${err?.message.slice(0, 200) ?? ''}`] : [];
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
