/**
 * A linkifier's pattern as re2js compiled it, prepared for linkifier-search.ts. A `pc` (program counter) is the index of an
 * instruction; a rune is a code point.
 */

import {RE2JS} from 're2js';

/** One instruction of a compiled pattern. An alternative prefers the instruction at `out` to the one at `arg`. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

/** re2js's numbers for the kinds of instructions. */
export const ops = {
  alternative: 1,
  alternativeMatch: 2,
  capture: 3,
  condition: 4,
  fail: 5,
  match: 6,
  firstRune: 8,
  lastRune: 11,
} as const;

const foldCase = 1;
const highestRune = 0x10ffff;
const latin1 = 256;

/**
 * A compiled pattern with the tables that a search from the end of a text needs: the predecessors of each instruction, and
 * classes of runes that every instruction treats alike.
 */
export class LinkifierProgram {
  readonly start: number;
  readonly size: number;
  readonly op: Uint8Array;
  readonly out: Int32Array;
  readonly arg: Int32Array;
  /** The number of capture slots: two for each group, the whole match included. */
  readonly captures: number;
  readonly matchPcs: readonly number[];
  /** By pc: the instructions that lead to it without consuming a rune. */
  readonly emptyPredecessors: readonly (readonly number[])[];
  /** By pc: the instructions that lead to it by consuming a rune. */
  readonly runePredecessors: readonly (readonly number[])[];
  /** The bits of all conditions that the pattern tests anywhere, such as a word boundary. */
  readonly conditions: number;
  /** By pc: the index in `#sets` of the runes that the instruction consumes; -1 when it consumes none. */
  readonly #setOf: Int32Array;
  readonly #sets: Instruction[] = [];
  readonly #bounds: Int32Array;
  /** The class of each range between two bounds; -1 until it is computed. */
  readonly #rangeClass: Int32Array;
  readonly #latin1Class = new Int32Array(latin1).fill(-1);
  readonly #classes = new Map<string, number>();
  /** By class: for each set whether its runes belong to it. */
  readonly #members: boolean[][] = [];

  constructor(pattern: RE2JS) {
    const {inst: instructions, start}: {inst: readonly Instruction[]; start: number} = pattern.re2().prog;
    this.start = start;
    this.size = instructions.length;
    this.op = Uint8Array.from(instructions, ({op}) => op);
    this.out = Int32Array.from(instructions, ({out}) => out);
    this.arg = Int32Array.from(instructions, ({arg}) => arg);
    this.captures = 2 * (pattern.groupCount() + 1);
    const {emptyPredecessors, runePredecessors} = predecessors(instructions);
    this.emptyPredecessors = emptyPredecessors;
    this.runePredecessors = runePredecessors;
    this.matchPcs = instructions.flatMap(({op}, pc) => (op === ops.match ? [pc] : []));
    this.conditions = instructions.reduce((all, {op, arg}) => (op === ops.condition ? all | arg : all), 0);
    this.#setOf = this.#distinctSets(instructions);
    this.#bounds = rangeBounds(this.#sets);
    this.#rangeClass = new Int32Array(this.#bounds.length + 1).fill(-1);
  }

  #distinctSets(instructions: readonly Instruction[]): Int32Array {
    const ids = new Map<string, number>();
    return Int32Array.from(instructions, (instruction) => {
      if (!consumesRune(instruction.op)) return -1;
      const key = `${instruction.runes.join()}/${isFolded(instruction)}`;
      let id = ids.get(key);
      if (id === undefined) {
        id = this.#sets.push(instruction) - 1;
        ids.set(key, id);
      }
      return id;
    });
  }

  /** Returns the class of a rune. Every instruction treats runes of one class alike. */
  classOf(rune: number): number {
    if (rune >= latin1) return this.#classInRange(rune);
    const known = this.#latin1Class[rune] ?? -1;
    if (known >= 0) return known;
    const computed = this.#classInRange(rune);
    this.#latin1Class[rune] = computed;
    return computed;
  }

  #classInRange(rune: number): number {
    const range = rangeIndex(this.#bounds, rune);
    const known = this.#rangeClass[range] ?? -1;
    if (known >= 0) return known;
    const members = this.#sets.map((set) => set.matchRune(rune));
    const key = members.map(Number).join('');
    const computed = this.#classes.get(key) ?? this.#members.push(members) - 1;
    this.#classes.set(key, computed);
    this.#rangeClass[range] = computed;
    return computed;
  }

  accepts(pc: number, runeClass: number): boolean {
    return this.#members[runeClass]?.[this.#setOf[pc] ?? -1] ?? false;
  }
}

export function consumesRune(op: number): boolean {
  return op >= ops.firstRune && op <= ops.lastRune;
}

function predecessors(instructions: readonly Instruction[]): {
  emptyPredecessors: number[][];
  runePredecessors: number[][];
} {
  const emptyPredecessors: number[][] = instructions.map(() => []);
  const runePredecessors: number[][] = instructions.map(() => []);
  instructions.forEach(({op, out, arg}, pc) => {
    if (op === ops.match || op === ops.fail) return;
    (consumesRune(op) ? runePredecessors : emptyPredecessors)[out]?.push(pc);
    if (op === ops.alternative || op === ops.alternativeMatch) emptyPredecessors[arg]?.push(pc);
  });
  return {emptyPredecessors, runePredecessors};
}

function isFolded({runes, arg}: Instruction): boolean {
  return runes.length === 1 && (arg & foldCase) !== 0;
}

/** Returns the runes at which membership of any set begins or ends, sorted. */
function rangeBounds(sets: readonly Instruction[]): Int32Array {
  const bounds = new Set<number>();
  for (const set of sets) {
    const [only = 0] = set.runes;
    const ranges = isFolded(set) ? caseRanges(only) : set.runes.length === 1 ? [only, only] : set.runes;
    ranges.forEach((rune, i) => {
      bounds.add(i % 2 === 0 ? rune : rune + 1);
    });
  }
  return Int32Array.from(bounds).sort();
}

/**
 * Returns a letter with its other cases, as ranges. re2js computes them: the pattern's second character has no cases and
 * keeps re2js from compiling the class to a single folded rune.
 */
function caseRanges(rune: number): readonly number[] {
  const pattern = RE2JS.compile(`(?i)[\\x{${rune.toString(16)}}\\x{${highestRune.toString(16)}}]`);
  const {inst: instructions}: {inst: readonly Instruction[]} = pattern.re2().prog;
  return instructions.flatMap(({runes}) => [...runes]);
}

/** Returns the number of bounds that are not above the rune. */
function rangeIndex(bounds: Int32Array, rune: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) <= rune) low = middle + 1;
    else high = middle;
  }
  return low;
}
