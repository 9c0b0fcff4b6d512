import {errorText} from '#std/error-text.ts';

/** A position in the demo's data: a line number of a script, or a path in a JSON file. */
export interface SourcePosition {
  readonly file: string;
  readonly position: number | string;
}

/** Returns the position of a value in `world.json`. */
export const worldPosition = (path: string): SourcePosition => ({file: 'world.json', position: path});

/** An error in the demo's data, with the file and position. */
export class DemoDataError extends Error {
  override readonly name = 'DemoDataError';

  constructor({file, position}: SourcePosition, reason: string, options?: ErrorOptions) {
    super(`${file}:${position}: ${reason}`, options);
  }
}

/** Runs `body` and adds the position in the data to the errors it throws. */
export function withSourcePosition<T>(source: SourcePosition, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (error instanceof DemoDataError) throw error;
    throw new DemoDataError(source, errorText(error), {cause: error});
  }
}
