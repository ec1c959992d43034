import type { Router } from 'express';
import type { ConnectOptions } from './answer.ts';
import { connectRouter } from './connect-router.ts';
import { grantRouter } from './grant/grant-router.ts';

/** `connect`: the merchants' pages, for `/connect`. `grants`: where stores send merchants whom they asked to approve an app, for `/`. */
export type ConnectRouters = { connect: Router; grants: Router };

export function connectRouters(options: ConnectOptions): ConnectRouters {
  return { connect: connectRouter(options), grants: grantRouter(options) };
}
