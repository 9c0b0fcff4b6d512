/** A promise of readiness that can be renewed after it failed. */
export class Readiness {
  #settled: 'no' | 'done' | 'failed' = 'no';
  #resolve = () => {};
  #reject: (reason: unknown) => void = () => {};
  promise = this.#fresh();

  succeed(): void {
    if (this.#settled === 'failed') this.renew();
    this.#settled = 'done';
    this.#resolve();
  }

  fail(reason: unknown): void {
    if (this.#settled !== 'no') return;
    this.#settled = 'failed';
    this.#reject(reason);
  }

  /** Starts a new promise after a failure. */
  renew(): void {
    if (this.#settled !== 'failed') return;
    this.#settled = 'no';
    this.promise = this.#fresh();
  }

  #fresh(): Promise<void> {
    const promise = new Promise<void>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A rejection that is not awaited must not end the process.
    promise.catch(() => {});
    return promise;
  }
}
