import type {Frame} from './frame.ts';

/** How the lists of several organizations are arranged. */
export type Arrangement = 'grouped' | 'mixed';

/** An open account among others, as the shown account's lists need it. */
export interface Organization {
  /** Its number in the list of accounts, from 0. */
  readonly index: number;
  readonly name: string;
  /** The short name before each of its rows. */
  readonly mark: string;
  readonly isShown: boolean;
  /** The last frame of an organization that is not shown. Undefined for the shown one, and until it is open. */
  readonly frame: Frame | undefined;
  /** Why its rows are missing or may be outdated, after its name: `logged out`. */
  readonly problem: string | undefined;
}

/** The organizations whose rows are shown together, in the order of their numbers. */
export interface Organizations {
  readonly arrangement: Arrangement;
  readonly all: readonly Organization[];
}

const minMark = 2;
const maxMark = 4;

/** Returns a short and different mark for each name: its first letters, or its number where those do not differ. */
export function organizationMarks(names: readonly string[]): readonly string[] {
  for (let length = minMark; length <= maxMark; length++) {
    const marks = names.map((name) => [...name].slice(0, length).join(''));
    if (new Set(marks).size === names.length) return marks;
  }
  return names.map((_, index) => String(index + 1));
}

/** Separates the name of an organization from the key of its row. Neither contains it. */
const separator = '\u001f';

/** Returns the key that a row of another organization has in the shown list. */
export function keyInOrganization(name: string, key: string): string {
  return name + separator + key;
}

/** Returns the key that the row has in its own organization's list; undefined for a row of another one. */
export function keyWithin(name: string, key: string): string | undefined {
  return key.startsWith(name + separator) ? key.slice(name.length + separator.length) : undefined;
}
