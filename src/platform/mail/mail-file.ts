import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { SendMailOptions } from 'nodemailer';
import { syncDirectory } from '../data-dir.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;

type File = { folder: string; mail: SendMailOptions; id: string; date: Date };

/** Writes a mail as "20261120T101533Z-<id>.eml", readable by its owner alone. It appears whole or not at all. Gives its path. */
export async function writeEml({ folder, mail, id, date }: File): Promise<string> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  const time = date
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  const path = join(folder, `${time}-${id}.eml`);
  const draft = `${path}.part`;
  try {
    const { createTransport } = await import('nodemailer');
    const { message } = await createTransport({ streamTransport: true, newline: 'windows' }).sendMail(mail);
    await pipeline(message, createWriteStream(draft, { mode: FILE_MODE, flush: true }));
    await rename(draft, path);
  } catch (thrown) {
    await rm(draft, { force: true });
    throw thrown;
  }
  await syncDirectory(folder);
  return path;
}
