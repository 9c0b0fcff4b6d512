import {RE2JS} from 're2js';

/** One step of a compiled pattern. Alternatives are in order of preference: first `out`, then `arg`. */
interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

/** The library's own numbers for what an instruction does. */
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
 * A pattern as the library compiled it, arranged so that it can be read from the end: who leads to an instruction, and
 * which characters are the same to all instructions. Places in the program are called pc, as everywhere.
 */
export class LinkifierProgram {
  readonly start: number;
  readonly size: number;
  readonly op: Uint8Array;
  readonly out: Int32Array;
  readonly arg: Int32Array;
  /** Twice as many as there are groups, the whole match included. */
  readonly captures: number;
  readonly matchPcs: readonly number[];
  /** By pc: those that come to it without taking a character. */
  readonly emptyBefore: readonly (readonly number[])[];
  /** By pc: those that come to it by taking one. */
  readonly runeBefore: readonly (readonly number[])[];
  /** All conditions that are asked anywhere, such as being at a word's edge. */
  readonly conditions: number;
  /** By pc: which of `#sets` it takes a character of. */
  readonly #setOf: Int32Array;
  readonly #sets: Instruction[] = [];
  readonly #bounds: Int32Array;
  /** By stretch between bounds, -1 while nobody has asked. */
  readonly #stretchClass: Int32Array;
  readonly #latin1Class = new Int32Array(latin1).fill(-1);
  readonly #classes = new Map<string, number>();
  /** By class: the answer for each set. */
  readonly #members: boolean[][] = [];

  constructor(pattern: RE2JS) {
    const {inst, start}: {inst: readonly Instruction[]; start: number} = pattern.re2().prog;
    this.start = start;
    this.size = inst.length;
    this.op = Uint8Array.from(inst, ({op}) => op);
    this.out = Int32Array.from(inst, ({out}) => out);
    this.arg = Int32Array.from(inst, ({arg}) => arg);
    this.captures = 2 * (pattern.groupCount() + 1);
    const {emptyBefore, runeBefore} = predecessors(inst);
    this.emptyBefore = emptyBefore;
    this.runeBefore = runeBefore;
    this.matchPcs = inst.flatMap(({op}, pc) => (op === ops.match ? [pc] : []));
    this.conditions = inst.reduce((all, {op, arg}) => (op === ops.condition ? all | arg : all), 0);
    this.#setOf = this.#distinctSets(inst);
    this.#bounds = boundsOf(this.#sets);
    this.#stretchClass = new Int32Array(this.#bounds.length + 1).fill(-1);
  }

  #distinctSets(inst: readonly Instruction[]): Int32Array {
    const ids = new Map<string, number>();
    return Int32Array.from(inst, (instruction) => {
      if (!takesRune(instruction.op)) return -1;
      const key = `${instruction.runes.join()}/${isFolded(instruction)}`;
      let id = ids.get(key);
      if (id === undefined) {
        id = this.#sets.push(instruction) - 1;
        ids.set(key, id);
      }
      return id;
    });
  }

  /** Characters of one class are the same to every instruction. */
  classOf(rune: number): number {
    if (rune >= latin1) return this.#classInStretch(rune);
    const known = this.#latin1Class[rune] ?? -1;
    if (known >= 0) return known;
    const found = this.#classInStretch(rune);
    this.#latin1Class[rune] = found;
    return found;
  }

  #classInStretch(rune: number): number {
    const stretch = stretchOf(this.#bounds, rune);
    const known = this.#stretchClass[stretch] ?? -1;
    if (known >= 0) return known;
    const members = this.#sets.map((set) => set.matchRune(rune));
    const key = members.map(Number).join('');
    const found = this.#classes.get(key) ?? this.#members.push(members) - 1;
    this.#classes.set(key, found);
    this.#stretchClass[stretch] = found;
    return found;
  }

  takes(pc: number, runeClass: number): boolean {
    return this.#members[runeClass]?.[this.#setOf[pc] ?? -1] ?? false;
  }
}

export function takesRune(op: number): boolean {
  return op >= ops.firstRune && op <= ops.lastRune;
}

function predecessors(inst: readonly Instruction[]): {emptyBefore: number[][]; runeBefore: number[][]} {
  const emptyBefore: number[][] = inst.map(() => []);
  const runeBefore: number[][] = inst.map(() => []);
  inst.forEach(({op, out, arg}, pc) => {
    if (op === ops.match || op === ops.fail) return;
    (takesRune(op) ? runeBefore : emptyBefore)[out]?.push(pc);
    if (op === ops.alternative || op === ops.alternativeMatch) emptyBefore[arg]?.push(pc);
  });
  return {emptyBefore, runeBefore};
}

function isFolded({runes, arg}: Instruction): boolean {
  return runes.length === 1 && (arg & foldCase) !== 0;
}

/** Where membership of a set begins or ends. */
function boundsOf(sets: readonly Instruction[]): Int32Array {
  const bounds = new Set<number>();
  for (const set of sets) {
    const [only = 0] = set.runes;
    const ranges = isFolded(set) ? casesOf(only) : set.runes.length === 1 ? [only, only] : set.runes;
    ranges.forEach((rune, i) => {
      bounds.add(i % 2 === 0 ? rune : rune + 1);
    });
  }
  return Int32Array.from(bounds).sort();
}

/** A letter's other cases as ranges. Asked of the library, beside a character without cases so that it lists them. */
function casesOf(rune: number): readonly number[] {
  const pattern = RE2JS.compile(`(?i)[\\x{${rune.toString(16)}}\\x{${highestRune.toString(16)}}]`);
  const {inst}: {inst: readonly Instruction[]} = pattern.re2().prog;
  return inst.flatMap(({runes}) => [...runes]);
}

/** How many bounds are not above the character. */
function stretchOf(bounds: Int32Array, rune: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bounds[middle] ?? 0) <= rune) low = middle + 1;
    else high = middle;
  }
  return low;
}
