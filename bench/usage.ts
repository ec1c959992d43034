import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** CPU time of processes in ms since they began, children that have ended included. */
export function cpuMs(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * (1000 / TICKS);
}

/** Resident memory in bytes. */
export function residentBytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + residentOf(pid), 0);
}

/** Resident memory of each in MB. */
export function residentMb(pids: readonly number[]): number[] {
  return pids.map((pid) => Math.round(residentBytes([pid]) / 1e6));
}

/** A process and those that it started. */
export function family(pid: number): number[] {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(Number(name))?.[1] === String(pid));
  return [pid, ...children.map(Number)];
}

// Fields of /proc/PID/stat from the state on (3rd): parent is 4th, utime, stime, cutime and cstime are 14th to 17th.
function statOf(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function ticksOf(pid: number): number {
  return (statOf(pid) ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
