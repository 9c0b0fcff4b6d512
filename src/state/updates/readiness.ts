/** A promise that can be given again once it failed. */
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

  /** After a failure, another try. */
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
    // Nobody may be waiting.
    promise.catch(() => {});
    return promise;
  }
}
