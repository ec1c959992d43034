import { expect, test } from 'vitest';
import type { Connection } from '../../../../src/bridge/connections/connection.ts';
import { earlierStore, storeOfHost } from '../../../../src/bridge/connections/host-owner.ts';
import type { GivenStore } from '../../../../src/bridge/connections/new-connection.ts';
import { sampleConnection } from '../../../support/samples/sample-claim.ts';

const nothing: GivenStore = { ownShop: false, hosts: [], identity: null, claim: null };
const moved = closed({ id: 'c_moved', store: 'http://moved.bg', storeIdentity: 'uuid-1' });
const other = closed({ id: 'c_other', store: 'https://www.other.bg:8443/shop' });

function closed(values: Partial<Connection>): Connection {
  return sampleConnection({ platform: 'shop', closedAt: '2026-11-02T00:00:00.000Z', ...values });
}

function found(given: Partial<GivenStore>, before: readonly Connection[] = [moved, other]): string {
  const found = earlierStore({ ...nothing, ...given }, before);
  return 'earlier' in found ? `${found.is} ${found.earlier.id}` : found.is;
}

test.each<[string, Partial<GivenStore>, string]>([
  ['its host, whatever scheme, www., port and path', { hosts: ['other.bg'] }, 'same c_other'],
  ['the platform’s own id, whatever its address', { hosts: ['new.bg'], identity: 'uuid-1' }, 'same c_moved'],
  ['another host and another id', { hosts: ['new.bg'], identity: 'uuid-2' }, 'other c_moved'],
  ['nothing at all', {}, 'undecided c_moved'],
  ['the id of a store of which none is known', { identity: 'uuid-2' }, 'undecided c_moved'],
  ['being an own shop', { ownShop: true }, 'same c_moved'],
  ['being declared another one, though its host is known', { hosts: ['other.bg'], claim: { is: 'new' } }, 'other c_moved'],
  ['being declared another own shop', { ownShop: true, claim: { is: 'new' } }, 'other c_moved'],
  ['being declared the one of a connection', { hosts: ['new.bg'], claim: { is: 'same', connectionId: 'c_other' } }, 'same c_other'],
  ['being declared the same, with a host', { hosts: ['other.bg'], claim: { is: 'same', connectionId: null } }, 'same c_other'],
  ['being declared the same, which could be either', { claim: { is: 'same', connectionId: null } }, 'unclear'],
  ['being declared the one of a connection that is none', { claim: { is: 'same', connectionId: 'c_none' } }, 'unclear'],
])('a store that is known by %s', (_what, given, wanted) => {
  expect(found(given)).toBe(wanted);
});

test('a store is known by the address of its API, too', () => {
  const access = { url: 'https://api.shop.bg/wp' };

  expect(found({ hosts: ['api.shop.bg'] }, [closed({ id: 'c_1', store: null, access })])).toBe('same c_1');
});

test('variants of one host are one store, of which the first is meant', () => {
  const variants = [closed({ id: 'c_2', store: 'https://www.moved.bg' }), moved];

  expect(found({ claim: { is: 'same', connectionId: null } }, variants)).toBe('same c_2');
});

test('without an earlier store, or with one that never had anything, it begins', () => {
  expect(found({}, [])).toBe('none');
  expect(found({ claim: { is: 'new' } }, [])).toBe('none');
  expect(found({}, [closed({ store: null, access: null })])).toBe('none');
  expect(found({ claim: { is: 'same', connectionId: null } }, [])).toBe('unclear');
});

test('a host counts unless a person said that it is not the store’s', () => {
  const hosts = [
    { host: 'new.bg', ownership: 'ours', dismissed: 0 },
    { host: 'copy.bg', ownership: 'quarantined', dismissed: 0 },
    { host: 'moved.bg', ownership: 'not-ours', dismissed: 0 },
  ] as const;
  const before = [closed({ ...moved, hosts: [...hosts] })];

  expect(['new.bg', 'copy.bg', 'moved.bg'].map((host) => found({ hosts: [host] }, before))).toEqual(['same c_moved', 'other c_moved', 'other c_moved']);
});

test('a delivery is of the store whose deliveries named its host', () => {
  const named = [closed({ id: 'c_none', store: null }), moved, closed({ id: 'c_api', store: 'https://shop.bg', access: { url: 'https://api.bg' } })];

  expect(storeOfHost('https://www.moved.bg/', named)?.id).toBe('c_moved');
  expect(storeOfHost('https://api.bg', named)).toBeUndefined();
  expect(storeOfHost('', named)).toBeUndefined();
});
