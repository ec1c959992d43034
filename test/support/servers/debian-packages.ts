import { execFile } from 'node:child_process';
import { constants, globSync, readFileSync } from 'node:fs';
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** `release`: another than this machine's. */
type Wanted = { packages: readonly string[]; release?: string };

/** Debian's packages, unpacked without root into a folder, unless they are there already. Throws where apt-get has none. */
export async function unpackPackages(folder: string, wanted: Wanted): Promise<void> {
  if (await isProgram(folder)) return;
  const draft = `${folder}.${process.pid}`;
  try {
    await mkdir(draft, { recursive: true });
    await download(draft, wanted);
    for (const file of await readdir(draft)) if (file.endsWith('.deb')) await run('dpkg', ['-x', join(draft, file), draft]);
    // Another test process may have put it there meanwhile: then its copy is used.
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  } catch (thrown) {
    await rm(draft, { recursive: true, force: true });
    throw thrown;
  }
}

// With separate package lists where the system has none, or this user may not read them.
async function download(directory: string, { packages, release }: Wanted): Promise<void> {
  const args = ['download', ...packages];
  const fetched = release === undefined ? await run('apt-get', args, { cwd: directory }).catch(() => undefined) : undefined;
  if (fetched !== undefined) return;
  const lists = join(directory, 'lists');
  const archives = join(directory, 'archives');
  await mkdir(join(lists, 'partial'), { recursive: true });
  await mkdir(join(archives, 'partial'), { recursive: true });
  const own = ['-o', `Dir::State::Lists=${lists}`, '-o', `Dir::Cache=${archives}`, '-o', 'Debug::NoLocking=1'];
  if (release !== undefined) own.push(...(await sourcesOf(release, directory)));
  await run('apt-get', [...own, 'update'], { cwd: directory });
  await run('apt-get', [...own, ...args], { cwd: directory });
  await Promise.all([lists, archives].map((path) => rm(path, { recursive: true })));
}

/** The mirror that this machine takes its own release from has the others, too. */
async function sourcesOf(release: string, directory: string): Promise<string[]> {
  const files = globSync(['/etc/apt/sources.list', '/etc/apt/sources.list.d/*.{list,sources}']);
  const [mirror] = /https?:\/\/\S+\/debian\/?(?=\s)/.exec(files.map((file) => readFileSync(file, 'utf8')).join('\n')) ?? [];
  if (mirror === undefined) throw new Error('this machine takes no packages from a mirror of Debian');
  const path = join(directory, 'sources.list');
  await writeFile(path, `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror} ${release} main\n`);
  return ['-o', `Dir::Etc::SourceList=${path}`, '-o', 'Dir::Etc::SourceParts=-', '-o', 'Dir::State::Status=/dev/null'];
}

export async function onPath(name: string): Promise<string | undefined> {
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, name);
    if (directory !== '' && (await isProgram(path))) return path;
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
