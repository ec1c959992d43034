import { createHash } from 'node:crypto';
import { type Response, Router } from 'express';
import { type ReasonCode, reasonCodes } from '../../operations/verdict/reason-codes.ts';
import type { Level, Reason, Verdict } from '../../operations/verdict/verdict.ts';
import { css, type Html, html, lines } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';

const statusStyle = css`
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 45rem; margin: 2rem auto; padding: 0 1rem; }
li { margin: 0.75rem 0; }
code { font-size: 0.9em; }
`;

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

const titles = { ok: 'All is well', attention: 'Something needs attention', failing: 'Orders can’t be recorded, or a legal term is past' } as const;

/** The verdict as a page that loads nothing. */
function statusPage({ verdict, at, reasons }: PublicVerdict): string {
  const list = reasons.length === 0 ? html`<p>There is nothing to do.</p>` : html`<ul>${lines(reasons.map(item))}</ul>`;
  const body = html`<h1>${titles[verdict]}</h1>
${list}
<p>As of ${at}. <code>orderbridge status</code> on the server names the stores, and the commands to type.</p>`;
  return htmlDocument({ lang: 'en', title: `orderbridge: ${verdict}`, styles: [html`<style>${statusStyle}</style>`], body }).markup;
}

function item({ code, level, count, since, words }: PublicReason): Html {
  const details = [...(count === null ? [] : [String(count)]), ...(since === null ? [] : [`since ${since}`])].join(', ');
  return html`<li><strong>${level}</strong> <code>${code}</code> ${words} ${details}</li>`;
}

/** A reason without names, ids and sums: `words` are those of its code. */
type PublicReason = Pick<Reason, 'code' | 'level' | 'count' | 'since' | 'words'>;
type PublicVerdict = { verdict: Verdict['verdict']; at: string; reasons: PublicReason[] };

/** The verdict for those who may not know whose stores these are. */
function publicVerdict({ verdict, at, reasons }: Verdict): PublicVerdict {
  return { verdict, at, reasons: reasons.map(({ code, level, count, since }) => ({ code, level, count, since, words: reasonCodes[code].means })) };
}

/** 503 only for what is failing. */
function statusOf({ verdict }: Pick<Verdict, 'verdict'>): 200 | 503 {
  return verdict === 'failing' ? 503 : 200;
}

/** How much there is of each code and level, for a gauge: what the reasons count, at least 1 for each. Codes without a reason are 0. */
export function incidentsOf({ reasons }: Verdict): { code: ReasonCode; level: Level; count: number }[] {
  const none = codes.filter((code) => !reasons.some((reason) => reason.code === code && reason.level === reasonCodes[code].level));
  const told = Map.groupBy(reasons, ({ code, level }) => `${code} ${level}`);
  return [
    ...none.map((code) => ({ code, level: reasonCodes[code].level, count: 0 })),
    ...[...told.values()].flatMap((of) => {
      const [first] = of;
      return first === undefined ? [] : [{ code: first.code, level: first.level, count: of.reduce((sum, { count }) => sum + Math.max(count ?? 1, 1), 0) }];
    }),
  ];
}

const codes = (Object.keys(reasonCodes) as ReasonCode[]).toSorted();
