/** `bg`: of what waits or is wrong, what it means, in Bulgarian. wrong: it does not work, or may lose something. remark: worth knowing. */
export type CheckFinding = { what: string; verdict: 'ok' | 'remark' | 'wrong'; words: string; bg?: string };
