import { z } from 'zod';

const address = z.string().regex(/^https?:\/\/[^/]/i);
const index = z.object({ home: address }).transform(({ home }) => home);
const systemStatus = z.object({ environment: z.object({ home_url: address }) }).transform(({ environment }) => environment.home_url);

/** The home URL that the API's own page or the system status names, as webhooks do: without a slash at its end. Null: neither. */
export function homeIn(body: unknown): string | null {
  const found = z.union([index, systemStatus]).safeParse(body);
  return found.success && URL.canParse(found.data) ? found.data.replace(/\/+$/, '') : null;
}
