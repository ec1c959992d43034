import { z } from 'zod';
import { limits } from '../../contract/limits.ts';
import { HttpProblem, type ProblemCode, problems } from '../http/http-problem.ts';
import { type Header, problemsOf, type Route } from './route.ts';
import { routes } from './routes.ts';
import { jsonSchemas } from './schemas.ts';
import type { signedExample } from './signed-example.ts';

export type MediaType = { schema?: { $ref: string }; examples?: Record<string, { summary?: string; value: unknown }> };
export type Described = { description: string; schema: Record<string, unknown> };
export type ResponseObject = { description: string; headers?: Record<string, Described>; content: Record<string, MediaType> };
export type Parameter = Described & { name: string; in: 'path' | 'query' | 'header'; required: boolean };
export type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, []>[];
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
  'x-signed-request'?: (typeof signedExample)['parts'];
  'x-codeSamples'?: { lang: string; label: string; source: string }[];
};
export type OpenApiDocument = {
  openapi: '3.1.0';
  info: { title: string; version: string; description: string };
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, object>; responses: Record<string, ResponseObject>; securitySchemes: Record<string, Record<string, string>> };
};

const DESCRIPTION = `Records online shops and their completed, paid orders so that they meet Bulgarian rules on online commerce.
Amounts are decimal (12.9) or whole minor units (1290), VAT rates are percent (20) or fractions (0.2), as the API key says.
Bodies are JSON in UTF-8, ${limits.bodyBytes} bytes at most, and not compressed; fields that are not listed are refused by name.`;

const TAGS = [
  { name: 'Shops', description: 'The documented interface.' },
  { name: 'Orders', description: 'The documented interface.' },
  {
    name: 'Months',
    description: 'Our extension: the months of the caller’s own shops, and what a person says of them: filed, rejected, nothing to file, make the file again.',
  },
  {
    name: 'Reading',
    description: 'Our extension: reading and listing, and reporting what is outstanding, only of the caller’s own shops. HEAD works wherever GET does.',
  },
];

/** The whole interface as an OpenAPI 3.1 document, made from the schemas that requests are checked by. */
export function openApiDocument(): OpenApiDocument {
  const paths = Map.groupBy(routes, ({ path }) => path);
  return {
    openapi: '3.1.0',
    info: { title: 'Compliance service', version: '1.0.0', description: DESCRIPTION },
    servers: [{ url: '/' }],
    tags: TAGS,
    paths: Object.fromEntries([...paths].map(([path, operations]) => [path, Object.fromEntries(operations.map((one) => [one.method, operationObject(one)]))])),
    components: {
      schemas: jsonSchemas(),
      responses: { MethodNotAllowed: { ...problemResponse(['method-not-allowed']), headers: headerObjects([ALLOW]) }, Injected: problemResponse(['injected']) },
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

const ALLOW: Header = { name: 'Allow', description: 'The methods that this address takes.' };
const RETRY_AFTER: Header = { name: 'Retry-After', description: 'Seconds to wait.' };

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The API key; it also says whether one shop or several may be created.' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'x-signature',
    description:
      'HMAC of the exact bytes of the body with the API secret; of the empty string without a body. SHA-256 in hex unless the key says otherwise. createOrder has a worked example.',
  },
};

function operationObject(route: Route): OperationObject {
  const { id, tag, summary, description, body, bodyIsOptional, answer, later, signed: example, ...rest } = route;
  const byStatus = Map.groupBy(problemsOf(route), (code) => String(problems[code].status));
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    // Keys created with that setting leave requests without a body unsigned.
    security: body === undefined || bodyIsOptional ? [{ apiKey: [], signature: [] }, { apiKey: [] }] : [{ apiKey: [], signature: [] }],
    parameters: parametersOf(rest),
    ...(body === undefined ? {} : { requestBody: { required: bodyIsOptional !== true, content: { 'application/json': bodyObject(body, example) } } }),
    responses: {
      200: success(answer),
      ...(later && { 202: success(later) }),
      ...Object.fromEntries([...byStatus].map(([status, some]) => [status, problemResponse(some)])),
    },
    ...(example && { 'x-signed-request': example.parts, 'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: example.parts.curl }] }),
  };
}

function bodyObject(schema: string, example: Route['signed']): MediaType {
  return { schema: ref(schema), ...(example && { examples: { signed: { summary: 'The body of x-signed-request', value: example.order } } }) };
}

function success({ description, content, headers }: Route['answer']): ResponseObject {
  const types = Object.entries(content).map(([type, schema]) => [type, schema === null ? {} : { schema: ref(schema) }]);
  return { description, ...(headers && { headers: headerObjects(headers) }), content: Object.fromEntries(types) };
}

const PATH_PARAMETERS = {
  id: { description: 'Identifier.', schema: { type: 'string', format: 'uuid' } },
  month: { description: 'The month, such as 2026-10.', schema: { type: 'string', pattern: String.raw`^20\d\d-(0[1-9]|1[0-2])$` } },
} as const;

function parametersOf({ path, query, headers = [] }: Pick<Route, 'path' | 'query' | 'headers'>): Parameter[] {
  const inPath = (['id', 'month'] as const)
    .filter((name) => path.includes(`{${name}}`))
    .map((name) => ({ name, in: 'path' as const, required: true, ...PATH_PARAMETERS[name] }));
  const { properties = {} } = query === undefined ? {} : z.toJSONSchema(query, { io: 'input' });
  const inQuery = Object.entries(properties).map(([name, schema]) => {
    const { description = '', ...rest } = typeof schema === 'object' ? schema : {};
    return { name, in: 'query' as const, required: false, description, schema: { ...rest } };
  });
  const inHeader = headers.map((header) => ({ name: header.name, in: 'header' as const, required: false, ...headerObject(header) }));
  return [...inPath, ...inQuery, ...inHeader];
}

function problemResponse(codes: readonly ProblemCode[]): ResponseObject {
  const examples = codes.map((code) => [code, { value: new HttpProblem(code, problems[code].title).toJSON() }]);
  return {
    description: codes.map((code) => `${code}: ${problems[code].title}`).join('; '),
    ...(codes.includes('unavailable') && { headers: headerObjects([RETRY_AFTER]) }),
    content: { 'application/problem+json': { schema: ref('Problem'), examples: Object.fromEntries(examples) } },
  };
}

function headerObjects(headers: readonly Header[]): Record<string, Described> {
  return Object.fromEntries(headers.map((header) => [header.name, headerObject(header)]));
}

function headerObject({ description, maxLength }: Header): Described {
  return { description, schema: { type: 'string', ...(maxLength === undefined ? {} : { minLength: 1, maxLength }) } };
}

function ref(schema: string): { $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}
