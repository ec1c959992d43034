import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { checkCodes, codeOf } from '../../operations/health/checks.ts';
import { ungrouped } from '../../operations/health/group-checks.ts';
import type { FailedCheck, HealthStatus, Level } from '../../operations/health/health-status.ts';
import { isFromThisMachine } from '../../platform/http/request-origin.ts';
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

/**
 * `GET /status` and `GET /status.json`: the health status, 503 if it is failing. What is wrong, without names, learns who asks at this machine or where
 * strangers can't (`inside`); others learn the word alone. `read` never rejects.
 */
export function statusRouter(read: () => Promise<HealthStatus>, { inside }: { inside: boolean }): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const answer = (response: Response, health: HealthStatus) => response.status(statusOf(health)).set('Cache-Control', 'no-store');
  const shown = (request: Request, health: HealthStatus) => publicHealth(health, inside || isFromThisMachine(request));
  router.get('/status.json', async (request, response) => {
    const health = await read();
    answer(response, health).json(shown(request, health));
  });
  router.get('/status', async (request, response) => {
    const health = await read();
    answer(response, health)
      .set({ 'Content-Security-Policy': CSP, 'Referrer-Policy': 'no-referrer' })
      .type('html')
      .send(statusPage(shown(request, health)));
  });
  return router;
}

const titles = { ok: 'All is well', attention: 'Something needs attention', failing: 'Orders can’t be recorded, or a legal deadline has passed' } as const;

/** The health status as a page that loads nothing. */
function statusPage({ health, at, failedChecks }: PublicHealth): string {
  const list = failedChecks === undefined || failedChecks.length === 0 ? html`` : html`<ul>${lines(failedChecks.map(item))}</ul>`;
  const body = html`<h1>${titles[health]}</h1>
${list}
<p>As of ${at}. <code>orderbridge status</code> on the server names the stores, and the commands to type.</p>`;
  return htmlDocument({ lang: 'en', title: `orderbridge: ${health}`, styles: [html`<style>${statusStyle}</style>`], body }).markup;
}

function item({ code, level, count, since, words }: PublicCheck): Html {
  const details = [...(count === null ? [] : [String(count)]), ...(since === null ? [] : [`since ${since}`])].join(', ');
  return html`<li><strong>${level}</strong> <code>${code}</code> ${words} ${details}</li>`;
}

/** A failed check without names, ids and sums: `words` are those of its code. */
type PublicCheck = Pick<FailedCheck, 'code' | 'level' | 'count' | 'since' | 'words'>;
type PublicHealth = { health: HealthStatus['health']; at: string; failedChecks?: PublicCheck[] };

/** The health status for those who may not know whose stores these are. */
function publicHealth({ health, at, failedChecks }: HealthStatus, mayKnow: boolean): PublicHealth {
  if (!mayKnow) return { health, at };
  const shown = ({ code, level, count, since, members }: FailedCheck) => ({
    code,
    level,
    count: count ?? members?.length ?? null,
    since,
    words: codeOf(code).en,
  });
  return { health, at, failedChecks: failedChecks.map(shown) };
}

/** 503 only for what is failing. */
function statusOf({ health }: Pick<HealthStatus, 'health'>): 200 | 503 {
  return health === 'failing' ? 503 : 200;
}

/** How much there is of each code and level, for a gauge: what the failed checks count, at least 1 for each. Codes without a failed check are 0. */
export function incidentsOf(status: HealthStatus): { code: string; level: Level; count: number }[] {
  const failedChecks = ungrouped(status.failedChecks);
  const none = codes.filter((code) => !failedChecks.some((failedCheck) => failedCheck.code === code && failedCheck.level === codeOf(code).level));
  const groups = Map.groupBy(failedChecks, ({ code, level }) => `${code} ${level}`);
  return [
    ...none.map((code) => ({ code, level: codeOf(code).level, count: 0 })),
    ...[...groups.values()].flatMap((of) => {
      const [first] = of;
      return first === undefined ? [] : [{ code: first.code, level: first.level, count: of.reduce((sum, { count }) => sum + Math.max(count ?? 1, 1), 0) }];
    }),
  ];
}

const codes = Object.keys(checkCodes).toSorted();
