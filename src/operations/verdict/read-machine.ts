import { isTooShort, SHORTEST_ADMIN_TOKEN } from '../../config/usable-admin-token.ts';
import type { Reader } from './look.ts';
import { reasonOf } from './reason-of.ts';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
/** Below so much, or below a twentieth of a disk on which that is little. */
const LEAST_FREE = GB;
const LITTLE_FREE = 10 * GB;
const DAY_MS = 24 * 60 * 60_000;

/** The disk of DATA_DIR, where an embedded database and mails without a server are. */
export const diskReader: Reader = {
  codes: ['disk.full'],
  async read({ disk, config: { dataDir } }) {
    const { free, size } = await disk();
    if (size === 0 || free >= LITTLE_FREE || (free >= LEAST_FREE && free >= size / 20)) return [];
    const words = `${Math.floor(free / MB)} MB of ${Math.ceil(size / GB)} GB are free on the disk of DATA_DIR (${dataDir}); make room, before the database stops`;
    return [reasonOf('disk.full', { words })];
  },
};

/** An embedded PostgreSQL that died and was started again, for a day. */
export const restartsReader: Reader = {
  codes: ['database.restarted'],
  async read({ restarts, config: { dataDir }, now }) {
    const times = (await restarts()).filter((time) => now - Date.parse(time) < DAY_MS);
    const since = times.at(-1);
    if (since === undefined) return [];
    const words = `the embedded PostgreSQL died and was started again, last at ${since}; postgres.log in DATA_DIR (${dataDir}) may say why: is there enough memory?`;
    return [reasonOf('database.restarted', { count: times.length, since, words })];
  },
};

export const dashboardReader: Reader = {
  codes: ['admin.short'],
  async read({ config }) {
    const words = `off: ADMIN_TOKEN has fewer than ${SHORTEST_ADMIN_TOKEN} characters, and could be guessed; \`openssl rand -hex 16\` makes one`;
    return isTooShort(config) ? [reasonOf('admin.short', { words })] : [];
  },
};
