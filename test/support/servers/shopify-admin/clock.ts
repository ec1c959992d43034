/** A clock that moves when it is told to. */
export class Clock {
  #now: number;

  constructor(instant: string) {
    this.#now = Date.parse(instant);
  }

  readonly now = (): number => this.#now;

  pass(ms: number): void {
    this.#now += ms;
  }
}
