import { expect, test } from 'vitest';
import { extensionsAt } from '../../../src/app/bridge-jobs.ts';
import type { ComplianceConfig } from '../../../src/config/config.ts';
import { type Extensions, embeddedDialect, embeddedExtensions, NO_EXTENSIONS } from '../../../src/contract/dialect.ts';

const OTHER = 'https://other.example';
const forgets: Extensions = { forgetsBuyers: 'supported', delivered: 'no' };
const remote = { kind: 'remote', baseUrl: OTHER, apiKey: null, apiSecret: null, dialect: embeddedDialect } as const;

test.each<[string, ComplianceConfig, string | null, Extensions]>([
  ['our own service offers all', { kind: 'embedded' }, null, embeddedExtensions],
  ['so it does where the environment names another one', remote, null, embeddedExtensions],
  ['another one offers what the environment says', { ...remote, extensions: forgets }, OTHER, forgets],
  ['which is nothing if it says nothing', remote, OTHER, NO_EXTENSIONS],
  ['nothing is known of one that was used before our own', { kind: 'embedded' }, OTHER, NO_EXTENSIONS],
])('%s', (...[, compliance, baseUrl, offered]) => {
  expect(extensionsAt(compliance, baseUrl)).toEqual(offered);
});
