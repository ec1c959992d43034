import type { Lang } from '../../contract/messages.ts';
import type { MonthKey } from '../audit/month/month-state.ts';
import type { ActName } from './messages.ts';

/** The addresses of the pages behind one link. */
export type PortalPaths = {
  link: string;
  all: string;
  code: string;
  renew: string;
  mails: string;
  month(key: MonthKey): string;
  act(key: MonthKey, act: ActName): string;
  file(key: MonthKey, version: number, kind: FileKind): string;
};

/** How a version can be downloaded. */
export const FILE_KINDS = ['xml', 'csv', 'html'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Below the path of the public address, in a language that stays while a person goes from page to page. */
export function portalPaths(publicUrl: string, token: string, lang: Lang): PortalPaths {
  const link = `${new URL(publicUrl).pathname.replace(/\/$/, '')}/months/${token}`;
  const query = `?lang=${lang}`;
  const month = ({ shopId, month: of }: MonthKey) => `${link}/${shopId}/${of}`;
  return {
    link: `${link}${query}`,
    all: `${link}/all${query}`,
    code: `${link}/code${query}`,
    renew: `${link}/renew${query}`,
    mails: `${link}/mails${query}`,
    month: (key) => `${month(key)}${query}`,
    act: (key, act) => `${month(key)}/${act}${query}`,
    file: (key, version, kind) => `${month(key)}/files/${version}.${kind}`,
  };
}
