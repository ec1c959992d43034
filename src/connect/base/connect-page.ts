import type { Request } from 'express';
import type { Connection } from '../../bridge/connections/connection.ts';
import type { StoreTokens } from '../../bridge/store-api/store-means.ts';
import type { ConsoleDeps } from '../../console/base/console-deps.ts';
import type { Download, Form, GoTo, ShownPage } from '../../console/base/page.ts';
import type { LinkScope, Onboarding, OnboardingStep } from '../../operations/onboarding/onboarding.ts';
import type { Actor } from '../../platform/audit-log/audit-log.ts';
import type { Sealer } from '../../platform/seal.ts';
import { html } from '../../web/html.ts';
import type { Words } from '../messages/messages.ts';
import type { Inspections } from './dry-run.ts';

/** A request of anyone who has a link. */
export type ConnectContext = {
  req: Request;
  deps: ConnectPageDeps;
  words: Words;
  onboarding: Onboarding;
  scope: LinkScope;
  /** When the link ends; null: never. */
  endsAt: string | null;
  /** The way to its pages, `/connect/{token}`: for addresses in pages alone. */
  base: string;
  /** As the audit log names them. */
  by: Actor;
};

/** `refreshPlainly`: seconds after which a browser without script asks again. */
export type ConnectReply = (Omit<ShownPage, 'place'> & Cookies) | (GoTo & Cookies);

type Cookies = { cookie?: string | string[] };

/**
 * One address of a merchant's way, below `/connect/{token}`. `step`: whose; it is reached when all before it are done, and a link to one step opens its
 * pages alone. `status`: of the page that lasts. `confirm`: opened by a link to a mailbox alone. `code`: it takes a code that was mailed to the merchant, always or
 * once the store records; a link to its step alone takes none. `isKept`: it is opened from the
 * page that lasts, too.
 */
export type ConnectPage = {
  path: string;
  of: OnboardingStep | 'status' | 'confirm';
  code?: 'always' | 'started';
  isKept?: true;
  get?(context: ConnectContext): Promise<ConnectReply | Download>;
  post?(context: ConnectContext, form: Form): Promise<ConnectReply>;
};

/** What the merchants' pages show and do: as those of the console, what keeps the keys of stores, and what stores said lately. */
export type ConnectPageDeps = ConsoleDeps & { sealer: Sealer; inspections: Inspections; tokens: StoreTokens };

/** The live connection that the merchant made; null: there is none any more. */
export async function connectionOf({ deps, onboarding }: ConnectContext): Promise<Connection | null> {
  const found = onboarding.connectionId === null ? null : await deps.connections.find(onboarding.connectionId);
  return found?.closedAt === null ? found : null;
}

export function gonePage({ words: { steps, mapping } }: ConnectContext): ConnectReply {
  return { status: 409, title: steps.goneTitle, body: html`<p>${mapping.gone}</p>` };
}
