import { createHash } from 'node:crypto';
import type { Request, Response, Router } from 'express';
import express from 'express';
import { z } from 'zod';
import { css, type Html, html, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import { refuse } from '../http/operation.ts';
import { type OpenApiDocument, type OperationObject, openApiDocument, type Parameter, type ResponseObject } from './openapi-document.ts';
import { signedExample } from './signed-example.ts';

/**
 * The interface for programs at /openapi.json and for people at /openapi, without authentication, and the answer to its addresses of other versions; to be
 * mounted at the root, after the routers of the interface.
 */
export function openApiRouter(): Router {
  const json = answer('application/json; charset=utf-8', () => JSON.stringify(openApiDocument()), { 'access-control-allow-origin': '*' });
  const page = answer('text/html; charset=utf-8', () => documentPage(openApiDocument()), { 'content-security-policy': CSP, 'referrer-policy': 'no-referrer' });
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const [path, handler] of [
    ['/openapi.json', json],
    ['/openapi', page],
  ] as const)
    router
      .route(path)
      .get(handler)
      .all(refuse(['GET', 'HEAD']));
  return router.use(['/public-api', '/service'], refuse([]));
}

/** The style of the page at /openapi; its hash is in the page's content security policy. */
const pageStyle = css`
:root { color-scheme: light dark; --text: #1d2733; --soft: #5b6875; --line: #d9dfe5; --ground: #fff; --raised: #f5f7f9; --link: #0b5cad;
  --get: #1a6e3c; --post: #0b5cad; --put: #8a5a00; --patch: #8a5a00; --delete: #a32020; }
@media (prefers-color-scheme: dark) { :root { --text: #e3e8ed; --soft: #9aa7b4; --line: #35404b; --ground: #14191f; --raised: #1c232b; --link: #7db8f2;
  --get: #6fcf97; --post: #7db8f2; --put: #e0b050; --patch: #e0b050; --delete: #f08b8b; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; color: var(--text); background: var(--ground); font: 16px/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, .path { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: .88em; overflow-wrap: anywhere; }
.layout { max-width: 78rem; margin: 0 auto; padding: 0 1.25rem 4rem; display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 0 3rem; }
header { grid-column: 2; padding-top: 2rem; }
nav { grid-column: 1; grid-row: 1 / span 2; position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2rem 0; font-size: .9rem; }
nav h2 { margin: 1.25rem 0 .25rem; font-size: .75rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); border: 0; padding: 0; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li { padding: .1rem 0; }
main { grid-column: 2; min-width: 0; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.4rem; margin: 3rem 0 .5rem; padding-top: .5rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .8rem; margin: 1.25rem 0 .25rem; letter-spacing: .05em; text-transform: uppercase; color: var(--soft); }
p { margin: .5rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
.card { border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); padding: 1rem 1.25rem; margin: 1rem 0; scroll-margin-top: 1rem; }
.card:target { border-color: var(--link); }
.line { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.method { font: 700 .78rem/1 ui-monospace, 'DejaVu Sans Mono', monospace; letter-spacing: .04em; text-transform: uppercase; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
table { width: 100%; border-collapse: collapse; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-top: 1px solid var(--line); }
th { font-size: .75rem; font-weight: 600; color: var(--soft); border-top: 0; }
td:first-child { width: 30%; }
.must { color: var(--delete); font-size: .75rem; white-space: nowrap; }
@media (max-width: 60rem) {
  .layout { display: block; }
  nav { position: static; max-height: none; padding: 1rem 0 0; columns: 2; column-gap: 1.5rem; }
  nav div { break-inside: avoid; }
  header { padding-top: 1.25rem; }
}
@media (max-width: 36rem) {
  body { font-size: 15px; }
  .layout { padding: 0 .9rem 3rem; }
  nav { columns: 1; }
  thead { display: none; }
  tr, td { display: block; width: auto; }
  tr { border-top: 1px solid var(--line); padding: .5rem 0; }
  td, td:first-child { border: 0; padding: .05rem 0; width: auto; }
  .card { padding: .75rem .9rem; }
}
@media print { nav { display: none; } .layout { display: block; } .card { break-inside: avoid; } }
`;

// The page loads nothing: no script, no font, no picture.
const CSP = `default-src 'none'; style-src 'sha256-${hash(pageStyle.text)}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** `write`: the text, which is made when it is asked for first. */
function answer(type: string, write: () => string, headers: Record<string, string>) {
  let text: string | undefined;
  return (req: Request, res: Response): void => {
    text ??= write();
    const etag = `"${hash(text)}"`;
    const always = { etag, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff', ...headers };
    if (req.get('if-none-match') === etag) return void res.writeHead(304, always).end();
    res.writeHead(200, { ...always, 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text);
  };
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

type Listed = { method: string; path: string; operation: OperationObject };

/** The document as one page of HTML that needs no script and loads nothing. */
function documentPage(document: OpenApiDocument): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const { title, description } = document.info;
  const page = htmlDocument({
    lang: 'en',
    title,
    styles: [html`<style>${pageStyle}</style>`],
    body: html`<div class="layout">
<header>
<h1>${title}</h1>
${description.split('\n').map((line) => html`<p>${line}</p>`)}
<p><a href="/openapi.json">openapi.json</a> is the same for programs (OpenAPI ${document.openapi}).</p>
</header>
${navigation(document, operations)}
<main>
${authentication(document)}
${document.tags.map((tag) => html`<h2 id="tag-${tag.name}">${tag.name}</h2><p class="soft">${tag.description}</p>${operations.filter(({ operation }) => operation.tags.includes(tag.name)).map(operationCard)}`)}
<h2 id="schemas">Schemas</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => schemaCard(name, schema))}
</main>
</div>`,
  });
  return page.markup;
}

function navigation({ tags, components }: OpenApiDocument, operations: readonly Listed[]): Html {
  const groups = tags.map(({ name }) => {
    const links = operations.filter(({ operation }) => operation.tags.includes(name)).map(({ operation }) => link(operation.operationId, operation.summary));
    return html`<div><h2>${name}</h2><ul>${links}</ul></div>`;
  });
  const schemas = Object.keys(components.schemas).map((name) => link(`schema-${name}`, name));
  return html`<nav aria-label="Contents">${groups}<div><h2>Schemas</h2><ul>${schemas}</ul></div></nav>`;
}

function link(id: string, words: string): Html {
  return html`<li><a href="#${id}">${words}</a></li>`;
}

function authentication({ components }: OpenApiDocument): Html {
  const rows = Object.values(components.securitySchemes).map(
    ({ name = '', description = '' }) => html`<tr><td><code>${name}</code></td><td>${description}</td></tr>`,
  );
  return html`<h2 id="authentication">Authentication</h2>
<p>Every operation carries both headers. Keys can be made that leave requests without a body unsigned.</p>
<table><thead><tr><th>header</th><th>content</th></tr></thead><tbody>${rows}</tbody></table>
${signedRequest()}`;
}

function signedRequest(): Html {
  const { apiKey, apiSecret, signedText, signature, signatureWithoutBody, curl } = signedExample.parts;
  return html`<section class="card" id="signed-request">
<h3>A signed request, to compare with</h3>
<p>With the API key <code>${apiKey}</code> and the secret <code>${apiSecret}</code>, these bytes in UTF-8</p>
<p><code>${signedText}</code></p>
<p>have the signature <code>${signature}</code>, and a request without a body has <code>${signatureWithoutBody}</code>. On the command line:</p>
<p><code>${curl}</code></p>
</section>`;
}

function operationCard({ method, path, operation }: Listed): Html {
  const { operationId, summary, description = '', parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  return html`<section class="card" id="${operationId}">
<div class="line"><span class="method ${method}">${method}</span><span class="path">${path}</span></div>
<h3>${summary}</h3>
${description === '' ? nothing : html`<p>${description}</p>`}
${parameters.length === 0 ? '' : parameterTable(parameters)}
${body === undefined ? nothing : html`<h4>Body</h4><p>${schemaLink(body.$ref)}</p>`}
<h4>Answers</h4>
<table><thead><tr><th>status</th><th>meaning</th></tr></thead><tbody>${Object.entries(responses).map(([status, response]) => responseRow(status, response))}</tbody></table>
</section>
`;
}

function parameterTable(parameters: readonly Parameter[]): Html {
  const rows = parameters.map(
    ({ name, in: where, required, description }) =>
      html`<tr><td><code>${name}</code> <span class="soft">${where}</span>${required ? html` <span class="must">required</span>` : nothing}</td><td>${description}</td></tr>`,
  );
  return html`<h4>Parameters</h4><table><thead><tr><th>name</th><th>meaning</th></tr></thead><tbody>${rows}</tbody></table>`;
}

function responseRow(status: string, { description, content, headers = {} }: ResponseObject): Html {
  const bodies = Object.entries(content).map(
    ([type, { schema }]) => html` <span class="soft">${type}</span>${schema === undefined ? nothing : html` ${schemaLink(schema.$ref)}`}`,
  );
  const named = Object.entries(headers).map(([name, header]) => html`<br><span class="soft"><code>${name}</code>: ${header.description}</span>`);
  return html`<tr><td><code>${status}</code>${status === '200' ? bodies : nothing}</td><td>${description.split('; ').map((part) => html`${part}<br>`)}${named}</td></tr>`;
}

function schemaLink(ref: string): Html {
  const name = ref.split('/').at(-1) ?? '';
  return html`<a href="#schema-${name}">${name}</a>`;
}

const shape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  format: z.string().optional(),
  pattern: z.string().optional(),
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), shape).optional();
  },
  get items() {
    return shape.optional();
  },
  get anyOf() {
    return z.array(shape).optional();
  },
});
type Shape = z.output<typeof shape>;

/** A schema of the document as a table of its fields; fields of fields are shown by their path. */
function schemaCard(name: string, schema: object): Html {
  const rows = fieldRows(shape.parse(schema), '');
  return html`<section class="card" id="schema-${name}"><h3>${name}</h3>
<table><thead><tr><th>field</th><th>rule</th></tr></thead><tbody>${rows}</tbody></table></section>
`;
}

function fieldRows({ properties = {}, required = [] }: Shape, at: string): Html[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${at}${name}`;
    const must = required.includes(name) ? html` <span class="must">required</span>` : nothing;
    const row = html`<tr><td><code>${path}</code>${must}</td><td>${field.description ?? ''}${field.description === undefined ? nothing : html`<br>`}<span class="soft">${ruleOf(field)}</span></td></tr>`;
    const nested = field.items ?? field.anyOf?.find(({ properties: some }) => some !== undefined) ?? field;
    return [row, ...fieldRows(nested, `${path}${field.items === undefined ? '.' : '[].'}`)];
  });
}

function ruleOf(field: Shape): string {
  const { anyOf, items, enum: values } = field;
  if (anyOf !== undefined) return anyOf.map(ruleOf).join(' or ');
  if (items !== undefined) return `array of ${ruleOf(items)}${between(field.minItems, field.maxItems, ' items')}`;
  if (field.$ref !== undefined) return field.$ref.split('/').at(-1) ?? '';
  if (values !== undefined) return `one of ${values.join(', ')}${withDefault(field)}`;
  if (field.const !== undefined) return `always ${JSON.stringify(field.const)}`;
  return `${[field.type].flat().join(' or ')}${field.format === undefined ? '' : ` (${field.format})`}${sizeOf(field)}${withDefault(field)}`;
}

function sizeOf(field: Shape): string {
  if (field.maxLength !== undefined) return between(field.minLength, field.maxLength, ' characters');
  if (field.exclusiveMaximum !== undefined) return `, from ${field.minimum ?? 0}`;
  if (field.exclusiveMinimum !== undefined) return `, above ${field.exclusiveMinimum}${field.maximum === undefined ? '' : `, up to ${field.maximum}`}`;
  return between(field.minimum, field.maximum, '');
}

function between(least: number | undefined, most: number | undefined, unit: string): string {
  if (most === undefined || most === Number.MAX_SAFE_INTEGER) return '';
  return least === undefined ? `, up to ${most}${unit}` : `, ${least}–${most}${unit}`;
}

function withDefault(field: Shape): string {
  return field.default === undefined ? '' : `, default ${JSON.stringify(field.default)}`;
}
