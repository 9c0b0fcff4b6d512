/** Where a problem of an export is: a file, and in it a table and the position of a row, counted from 1. */
export interface Place {
  readonly file: string;
  readonly table?: string;
  readonly row?: number;
}

/** The export cannot be imported. The message is one sentence that names the place. */
export class ImportError extends Error {
  override readonly name = 'ImportError';

  constructor(problem: string, place?: Place) {
    super(place === undefined ? problem : `${placeText(place)}: ${problem}`);
  }
}

function placeText({file, table, row}: Place): string {
  return [
    file,
    ...(table === undefined || table === '' ? [] : [table]),
    ...(row === undefined ? [] : [`row ${row}`]),
  ].join(', ');
}
