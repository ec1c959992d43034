import { randomInt } from 'node:crypto';

/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const GROUP = /.{4}(?=.)/g;

/** A random code that somebody can copy by hand. */
export function newTypedCode(length: number): string {
  return Array.from({ length }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** In groups of four. */
export function shownCode(code: string): string {
  return code.replace(GROUP, '$&-');
}

/** As it was shown, or typed by hand. */
export function plainCode(code: string): string {
  return code.replace(/[^A-Za-z\d]/g, '').toUpperCase();
}
