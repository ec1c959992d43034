import { expect, test } from 'vitest';
import { z } from 'zod';
import { unreadable } from '../../../../src/bridge/storefronts/read-payload.ts';

function fault(schema: z.ZodType, body: unknown) {
  return unreadable(schema.safeParse(body).error ?? new z.ZodError([]));
}

test('every place is named, the body itself too, and no value', () => {
  const schema = z.object({ lines: z.array(z.object({ price: z.number() })), email: z.email() });
  const normalized = fault(schema, { lines: [{ price: 'maria' }], email: 'maria' });

  expect(normalized).toMatchObject({ kind: 'unreadable', problems: [{ code: 'payload.unreadable' }, { code: 'payload.unreadable' }] });
  expect(JSON.stringify(normalized)).toMatch(/lines\.0\.price: .*email: /);
  expect(JSON.stringify(normalized)).not.toContain('maria');
  expect(fault(schema, null)).toMatchObject({ problems: [{ detail: expect.stringMatching(/^body: /) }] });
});

test('a refusal without words still says that the body is not as expected', () => {
  expect(unreadable(new z.ZodError([]))).toEqual({ kind: 'unreadable', problems: [{ code: 'payload.unreadable', detail: 'body: not as expected' }] });
});

test('of a thousand places the first fifty are named, and the others counted', () => {
  const { problems } = { problems: [], ...fault(z.array(z.number()), Array(1_000).fill('maria')) };

  expect(problems).toHaveLength(51);
  expect(problems.at(-1)).toEqual({ code: 'payload.unreadable', detail: 'body: 950 more places are not as expected' });
});
