import { describe, expect, test } from 'vitest';
import type { StoreHost } from '../../../../src/bridge/connections/connection.ts';
import { hostOwner, knownHosts } from '../../../../src/bridge/connections/host-owner.ts';
import { shopify } from '../../../../src/bridge/storefronts/shopify/shopify.ts';
import { woocommerce } from '../../../../src/bridge/storefronts/woocommerce/woocommerce.ts';

const host = (name: string, ownership: StoreHost['ownership']): StoreHost => ({ host: name, ownership, dismissed: 0 });
const STORE = 'https://shop.example';
const OTHER = 'https://staging.shop.example/';

describe('a delivery', () => {
  test.each<[string, [string | null, StoreHost[], string, string]]>([
    ['that is the first', [null, [], OTHER, 'first']],
    ['of the same address', [STORE, [], 'https://shop.example/', 'ours']],
    ['of the same host by another address', [STORE, [], 'http://www.shop.example:8080/bg', 'ours']],
    ['of another host', [STORE, [], OTHER, 'other']],
    ['of a host that the store moved to', [STORE, [host('staging.shop.example', 'ours')], OTHER, 'ours']],
    ['of the first host after a move', [STORE, [host('staging.shop.example', 'ours')], STORE, 'ours']],
    ['of a host that is quarantined', [STORE, [host('staging.shop.example', 'quarantined')], OTHER, 'other']],
    ['of the first host, once it is declared another’s', [STORE, [host('shop.example', 'not-ours')], STORE, 'other']],
    ['of a host that was declared another’s before any delivery', [null, [host('staging.shop.example', 'not-ours')], OTHER, 'other']],
    ['of a host that was announced before any delivery', [null, [host('staging.shop.example', 'ours')], OTHER, 'ours']],
    ['whose address can’t be read', [STORE, [], 'http://', 'other']],
  ])('%s', (_what, [store, hosts, named, whose]) => {
    expect(hostOwner(woocommerce, { store, hosts }, named).owner).toBe(whose);
  });

  test('is held under its host; one that can’t be read, under a host that is nobody’s', () => {
    expect(hostOwner(woocommerce, { store: STORE, hosts: [] }, 'https://WWW.Staging.Shop.Example/x').host).toBe('staging.shop.example');
    expect(hostOwner(woocommerce, { store: STORE, hosts: [] }, 'http://').host).toBe('unreadable.invalid');
  });
});

describe('the hosts that deliveries can name', () => {
  const b = host('b.example', 'ours');
  const c = host('c.example', 'quarantined');

  test.each<[string | null, StoreHost[], string[]]>([
    [STORE, [], ['shop.example']],
    ['corner', [], []],
    [null, [], []],
    [STORE, [b, c], ['shop.example', 'b.example']],
    [STORE, [b, host('shop.example', 'not-ours')], ['b.example']],
  ])('of a store %j with %j', (store, hosts, known) => {
    expect(knownHosts(woocommerce, { store, hosts })).toEqual(known);
  });

  test.each<[string, StoreHost[], string[]]>([
    ['corner.myshopify.com', [], ['corner.myshopify.com']],
    ['shop.example', [], []],
    ['shop.example', [host('corner.myshopify.com', 'ours')], ['corner.myshopify.com']],
  ])('of a shop %j with %j, whose own domains no delivery names', (store, hosts, known) => {
    expect(knownHosts(shopify, { store, hosts })).toEqual(known);
  });
});
