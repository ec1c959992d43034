import { InvalidArgumentError } from 'commander';

const MOST = 100_000;

export function wholeNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MOST) throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
  return number;
}

/** A moment with its offset, as ISO text in UTC. */
export function instant(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('It must be a date and time with an offset, such as 2026-12-01T00:00:00+02:00.');
  }
  return new Date(text).toISOString();
}

export function month(text: string): string {
  if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) throw new InvalidArgumentError('It must be a month such as 2026-10.');
  return text;
}

export function seconds(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.');
  return Number(text);
}

/** A day in Bulgaria, or a moment with its offset, as it was typed. */
export function dayOrInstant(text: string): string {
  if (/^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  return instant(text);
}
