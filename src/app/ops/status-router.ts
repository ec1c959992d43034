import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import type { Verdict } from '../../operations/verdict/verdict.ts';
import { publicVerdict, statusOf } from './public-verdict.ts';
import { statusPage, statusStyle } from './status-page.ts';

const hash = createHash('sha256').update(statusStyle.text).digest('base64');
// The page loads nothing: no script, no font, no picture.
const CSP = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `GET /status` and `GET /status.json`: the verdict without names, 503 if it is failing. `read` never rejects. */
export function statusRouter(read: () => Promise<Verdict>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer = (response: Response, verdict: Verdict) => response.status(statusOf(verdict)).set('Cache-Control', 'no-store');
  router.get('/status.json', async (_request, response) => {
    const verdict = await read();
    answer(response, verdict).json(publicVerdict(verdict));
  });
  router.get('/status', async (_request, response) => {
    const verdict = await read();
    answer(response, verdict)
      .set({ 'Content-Security-Policy': CSP, 'Referrer-Policy': 'no-referrer' })
      .type('html')
      .send(statusPage(publicVerdict(verdict)));
  });
  return router;
}
