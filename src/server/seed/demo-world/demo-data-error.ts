/** Where something in the demo's data stands: a line of a script, or a path in a JSON file. */
export interface Source {
  readonly file: string;
  readonly place: number | string;
}

/** The demo's own data is wrong. Says where, so that whoever wrote the line finds it. */
export class DataError extends Error {
  override readonly name = 'DataError';

  constructor({file, place}: Source, reason: string, options?: ErrorOptions) {
    super(`${file}:${place}: ${reason}`, options);
  }
}

/** Runs `body`; whatever it refuses is told with the place in the data that asked for it. */
export function locating<T>(source: Source, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof DataError) throw error;
    throw new DataError(source, error instanceof Error ? error.message : String(error), {cause: error});
  }
}
