import { type Html, html, nothing } from '../../web/html.ts';
import { htmlDocument } from '../../web/html-document.ts';
import type { OpenApiDocument, OperationObject, Parameter, ResponseObject } from './openapi-document.ts';
import { pageStyle } from './page-style.ts';
import { schemaCard } from './schema-card.ts';
import { signedExample } from './signed-example.ts';

type Listed = { method: string; path: string; operation: OperationObject };

/** The document as one page of HTML that needs no script and loads nothing. */
export function documentPage(document: OpenApiDocument): string {
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
