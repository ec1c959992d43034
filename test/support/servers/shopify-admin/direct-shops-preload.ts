/** Loaded before a program (`StandInShopify.environment`): its shops are at the stand-in. */
import { directShops } from './direct-shops.ts';

const { port, ca } = JSON.parse(process.env['SHOPIFY_STAND_IN'] ?? '');
directShops({ port, ca });
