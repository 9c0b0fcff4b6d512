/** Where something in the demo's data stands: a line of a script, or a path in a JSON file. */
export interface SourcePosition {
  readonly file: string;
  readonly place: number | string;
}

/** The demo's own data is wrong. Says where, so that whoever wrote the line finds it. */
export class DemoDataError extends Error {
  override readonly name = 'DataError';

  constructor({file, place}: SourcePosition, reason: string, options?: ErrorOptions) {
    super(`${file}:${place}: ${reason}`, options);
  }
}

/** Runs `body`; whatever it refuses is told with the place in the data that asked for it. */
export function withSourcePosition<T>(source: SourcePosition, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof DemoDataError) throw error;
    throw new DemoDataError(source, error instanceof Error ? error.message : String(error), {cause: error});
  }
}
