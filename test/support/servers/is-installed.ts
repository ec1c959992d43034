import { execFileSync } from 'node:child_process';

/** Is this program on the PATH? Not every machine has it. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
