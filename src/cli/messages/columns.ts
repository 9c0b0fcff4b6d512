import type {CliIo} from '#cli/io.ts';

/** Of a pipe, and of whoever reads it. */
const usualColumns = 120;

/** Room for one line of a list. */
export function outputColumns({columns}: Pick<CliIo, 'columns'>): number {
  return columns ?? usualColumns;
}
