import type {Clock} from '#std/clock.ts';

/** How often a view is fetched that no events keep current. */
export const refreshSeconds = 30;

/** A view that no events keep current. */
export interface RefreshedView {
  /** Equal for the same view. */
  readonly key: string;
  readonly refresh: () => Promise<void>;
}

/** Repeats the fetch of one view for as long as it is shown. Its owner calls `stop` in the end. */
export class ViewRefresher {
  readonly #clock: Clock;
  #view: RefreshedView | undefined;
  #dueAt = 0;
  #cancel: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Sets the shown view, which was fetched when it was opened; undefined when events keep it current. While it is not
   * looked at nothing is fetched, and afterwards at once if that is due.
   */
  show(view: RefreshedView | undefined, isLookedAt: boolean): void {
    if (view?.key !== this.#view?.key) this.#dueAt = this.#clock.monotonic() + refreshSeconds * 1000;
    this.#view = view;
    if (view === undefined || !isLookedAt) this.stop();
    else this.#cancel ??= this.#clock.after(Math.max(0, this.#dueAt - this.#clock.monotonic()), () => this.#refresh());
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #refresh(): void {
    const view = this.#view;
    const left = this.#dueAt - this.#clock.monotonic();
    if (view !== undefined && left <= 0) {
      this.#dueAt = this.#clock.monotonic() + refreshSeconds * 1000;
      // A failure shows as the state of the connection; the next refresh is due anyway.
      view.refresh().catch(() => {});
    }
    this.#cancel = this.#clock.after(Math.max(0, this.#dueAt - this.#clock.monotonic()), () => this.#refresh());
  }
}
