import type { Ran } from './servers/program.ts';

/** What is typed, names and ids, which are the same in each language. */
const SAME = new RegExp(
  [
    '`[^`]*`|--[a-z-]+|\\$ .*|https?:\\/\\/[^\\s)]+|[\\w-]+\\.example|c_[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f-]{27}|id:\\d+|cli:\\S+|[\\w-]+\\.xml',
    '^ +orderbridge service .*|orderbridge settings .*|orderbridge itself|orderbridge|woocommerce|Stripe|econt_pay|UUID|API|PUBLIC_URL|ratePerSecond|recordFrom|webhookUrl|connectionId|payment\\.unmapped|order\\.updated|[A-Z]{3,}(?:_[A-Z]+)*',
  ].join('|'),
  'g',
);

/** The lines of a command that are still English. */
export function englishLines({ out, err }: Pick<Ran, 'out' | 'err'>): string[] {
  return `${out}\n${err}`.split('\n').filter((line) => /[A-Za-z]{3,} +[A-Za-z]{2,}/.test(line.replace(SAME, ' ')));
}
