/** Counts what an import wrote, and what it left out. */
export class ImportReport {
  readonly #imported = new Map<string, number>();
  readonly #leftOut = new Map<string, number>();

  /** Counts rows of a table of the export, which is named without its prefix. */
  count(table: string, rows = 1): void {
    this.#imported.set(table, (this.#imported.get(table) ?? 0) + rows);
  }

  /** Counts something that is not imported; `what` says what it is, and why. */
  leaveOut(what: string, count = 1): void {
    if (count > 0) this.#leftOut.set(what, (this.#leftOut.get(what) ?? 0) + count);
  }

  get imported(): ReadonlyMap<string, number> {
    return this.#imported;
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.#leftOut;
  }
}
