import type pg from 'pg';
import { parseRates } from '../../../src/service/rates/parse-rates.ts';
import { importRates } from '../../../src/service/rates/stored-rates.ts';

/** A sheet of the bank since 2026 as it is downloaded: units for one euro on a day ("2026-11-20"). */
export function euroSheet(day: string, rates: Record<string, string>): string {
  const rows = Object.entries(rates).map(([code, rate]) =>
    row({ F_ORDER: '1', NAME_: code, CODE: code, REVERSERATE: 'n/a', RATE: rate, CURR_DATE: written(day) }),
  );
  const header = row({ F_ORDER: '0', NAME_: 'Наименование', CODE: 'Код', REVERSERATE: 'Евро', RATE: 'За едно евро', CURR_DATE: 'Дата' });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ROWSET>\n${[header, ...rows].join('\n')}\n</ROWSET>\n`;
}

function row(fields: Record<string, string>): string {
  return `<ROW>${Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')}</ROW>`;
}

function written(day: string): string {
  return day.split('-').reverse().join('.');
}

type Published = { now?: Date; counting?: { sheet: string; until: string }[] };

/** Puts the sheets of some days into the database. */
export async function publish(pool: pg.Pool, sheets: Record<string, Record<string, string>>, { now = new Date('2027-01-01'), counting = [] }: Published = {}) {
  const rates = Object.entries(sheets).flatMap(([day, values]) => {
    const parsed = parseRates(Buffer.from(euroSheet(day, values)));
    if (!parsed.ok) throw new Error(parsed.problems.join('; '));
    return parsed.rates;
  });
  const imported = await importRates(pool, { rates, now, counting });
  if (!imported.ok) throw new Error(imported.problems.join('; '));
}
