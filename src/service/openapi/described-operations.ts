import type { z } from 'zod';
import type { ProblemCode } from '../http/http-problem.ts';
import type { signedExample } from './signed-example.ts';

/** One operation, as the document describes it. Names of schemas are those of `schemas`. */
export type DescribedOperation = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  id: string;
  tag: 'Shops' | 'Orders' | 'Months' | 'Reading';
  summary: string;
  description?: string;
  /** Name of the schema of the body; absent if there is none. */
  body?: string;
  bodyIsOptional?: true;
  /** A worked request, with its signature. */
  signed?: typeof signedExample;
  query?: z.ZodObject;
  headers?: readonly Header[];
  answer: Answer;
  /** The answer with status 202. */
  later?: Answer;
  /** Besides those that every operation has. */
  problems: readonly ProblemCode[];
};

export type Header = { name: string; description: string; maxLength?: number };

/** With an answer that is saved as a file. */
export const SAVED_AS: Header = { name: 'Content-Disposition', description: 'A name to save it under.' };

type Answer = {
  description: string;
  /** Media types and the schema of each; null for bytes. */
  content: Readonly<Record<string, string | null>>;
  headers?: readonly Header[];
};

/** The content of an answer in JSON; `schema` is its name in `schemas`. */
export function json(schema: string): Answer['content'] {
  return { 'application/json': schema };
}

/** What any operation may answer. */
export const COMMON_PROBLEMS = ['request-invalid', 'unauthorized', 'body-too-large', 'content-type-unsupported', 'internal-error', 'unavailable'] as const;
