/** Lets clients begin requests, or holds them back until nothing is in flight. */
export class Gate {
  #isOpen = true;
  #isEnded = false;
  #within = 0;
  #waiting: (() => void)[] = [];
  #emptied: (() => void)[] = [];

  /** Waits until the gate is open. Resolves to `false` when the run has ended. */
  async enter(): Promise<boolean> {
    while (!this.#isOpen && !this.#isEnded) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#isEnded) return false;
    this.#within += 1;
    return true;
  }

  leave(): void {
    this.#within -= 1;
    if (this.#within === 0) for (const resolve of this.#emptied.splice(0)) resolve();
  }

  /** Closes the gate, and waits until nobody is within. */
  async close(): Promise<void> {
    this.#isOpen = false;
    if (this.#within > 0) await new Promise<void>((resolve) => this.#emptied.push(resolve));
  }

  open(): void {
    this.#isOpen = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  end(): void {
    this.#isEnded = true;
    this.open();
  }
}
