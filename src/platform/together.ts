/** Parts that do not need each other: disposing stops all of them at once, and throws what the first of them threw. */
export class Together implements AsyncDisposable {
  readonly #parts: AsyncDisposable[] = [];

  use<Part extends AsyncDisposable>(part: Part): Part {
    this.#parts.push(part);
    return part;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const stopped = await Promise.allSettled(this.#parts.splice(0).map((part) => part[Symbol.asyncDispose]()));
    for (const one of stopped) if (one.status === 'rejected') throw one.reason;
  }
}
