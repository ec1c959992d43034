// The program's clock is CLOCK_SHIFT_MS ahead; that of the database is not.
const shift = Number(process.env.CLOCK_SHIFT_MS);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) {
    if (given.length === 0) super(Real.now() + shift);
    else super(...given);
  }

  static now() {
    return Real.now() + shift;
  }
};
