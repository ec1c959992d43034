import { z } from 'zod';

const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}(?::?\d{2})?)$/;

/** An ISO 8601 timestamp, with or without an offset. Those with one are read into the form of RFC 3339: +0200 and +03 as +02:00 and +03:00, no seconds as :00. */
export const timestamp = z
  .string()
  .overwrite(rfc3339)
  .check(z.iso.datetime({ offset: true, local: true, error: 'must be an ISO 8601 timestamp' }));

function rfc3339(text: string): string {
  const [, minutes, seconds = ':00', offset] = WITH_OFFSET.exec(text) ?? [];
  return minutes === undefined || offset === undefined ? text : `${minutes}${seconds}${wholeOffset(offset)}`;
}

function wholeOffset(offset: string): string {
  if (offset === 'Z' || offset.includes(':')) return offset;
  return `${offset.slice(0, 3)}:${offset.slice(3).padEnd(2, '0')}`;
}
