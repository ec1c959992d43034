/** The clock of the demo's compliance service: the system's, but while the months before are played. */
export type DemoClock = {
  now(): Date;
  /** Null: the system's again. */
  stand(at: Date | null): void;
};

export function demoClock(): DemoClock {
  let standing: Date | null = null;
  return {
    now: () => standing ?? new Date(),
    stand: (at) => {
      standing = at;
    },
  };
}
