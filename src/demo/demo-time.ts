const MINUTE_MS = 60_000;
const SOFIA_WINTER_MS = 2 * 60 * MINUTE_MS;
const STORY_MS = 60 * MINUTE_MS;

/** Moments of the stories, in minutes since an hour before the demo started, as each platform writes them. */
export type DemoTime = {
  /** With the shop's offset: 2026-11-21T09:30:00+02:00. */
  local(minute: number): string;
  /** UTC without a zone: 2026-11-21T07:30:00. */
  gmt(minute: number): string;
  /** UTC: 2026-11-21T07:30:00Z. */
  utc(minute: number): string;
};

export function demoTime(now: number): DemoTime {
  const text = (minute: number, shiftMs = 0) => new Date(now - STORY_MS + minute * MINUTE_MS + shiftMs).toISOString().slice(0, 19);
  return {
    local: (minute) => `${text(minute, SOFIA_WINTER_MS)}+02:00`,
    gmt: (minute) => text(minute),
    utc: (minute) => `${text(minute)}Z`,
  };
}

/** The clock of the demo's compliance service: the system's, but while the months before are played. */
export type DemoClock = {
  now(): Date;
  /** Null: the system's again. */
  stopAt(at: Date | null): void;
};

export function demoClock(): DemoClock {
  let current: Date | null = null;
  return {
    now: () => current ?? new Date(),
    stopAt: (at) => {
      current = at;
    },
  };
}
