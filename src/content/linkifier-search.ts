import {type LinkifierProgram, ops, takesRune} from './linkifier-program.ts';
import {conditionBits, conditionsAt, edgeConditions, runeBefore, widthAt} from './linkifier-runes.ts';

/**
 * Finds every match of a pattern in time that grows with the text and nothing else. Engines that look from left to right
 * look again after each match, and a pattern such as `x(.*y)?` makes each look go to the end. Here one pass from the end
 * notes for every place which instructions can still come to a match from there; after that, matches are read off from
 * left to right without a wrong turn. What is found is what the library would find.
 */

/** Which instructions can come to a match from a place. Many places of a text share one. */
type Outlook = {
  readonly pcs: readonly number[];
  readonly bits: Uint32Array;
  /** Outlooks one character earlier, by the character's class and the conditions before it. */
  readonly earlier: (Step | undefined)[];
};

type Step = {readonly to: Outlook; readonly cost: number; countedIn: number};

/** The positions of the groups, as start and end; -1 where a group took no part. */
export type Captures = Int32Array;

/** Outlooks are kept between texts, but not for ever. */
const mostOutlooks = 4000;
/**
 * How much looking into the program a text may need: each step that differs from those before it costs what it touches.
 * Ordinary patterns and texts stay far below; a pattern made for it could cost its own length for each character.
 */
const workPerText = 200_000;
const workPerCharacter = 40;

export class LinkifierSearch {
  readonly #program: LinkifierProgram;
  #outlooks = new Map<string, Outlook>();
  /** Those of the end of a text, by the conditions there. */
  #ends = new Map<number, Outlook>();
  #searches = 0;
  /** Counted for each text as if it were the first, so that what is found never depends on what was searched before. */
  work = 0;
  readonly #ways: Ways;

  constructor(program: LinkifierProgram) {
    this.#program = program;
    this.#ways = new Ways(program.size);
  }

  /** All matches from left to right, each sought from where `group` of the one before ends. None if that takes too much. */
  matches(text: string, group: number): Captures[] {
    const outlooks = this.#read(text);
    const found: Captures[] = [];
    if (outlooks === undefined) return found;
    const {start} = this.#program;
    let from = 0;
    for (let at = 0; at <= text.length; at++) {
      const outlook = outlooks[at];
      if (outlook === undefined || !has(outlook, start)) continue;
      const captures = this.#walk(text, outlooks, at);
      found.push(captures);
      from = Math.max(captures[2 * group + 1] ?? 0, from + 1);
      at = from - 1;
    }
    return found;
  }

  /** The outlook of every place where a character begins, and of the end. */
  #read(text: string): (Outlook | undefined)[] | undefined {
    const program = this.#program;
    const outlooks: (Outlook | undefined)[] = new Array(text.length + 1);
    const allowed = workPerText + workPerCharacter * text.length;
    const search = ++this.#searches;
    this.work = 0;
    const asksInside = (program.conditions & ~edgeConditions) !== 0;
    let outlook = this.#end(conditionsAt(text, text.length));
    outlooks[text.length] = outlook;
    for (let at = text.length; at > 0; ) {
      const [rune, width] = runeBefore(text, at);
      at -= width;
      const conditions = at > 0 && !asksInside ? 0 : conditionsAt(text, at) & program.conditions;
      const runeClass = program.classOf(rune);
      const key = (runeClass << conditionBits) | conditions;
      let step = outlook.earlier[key];
      if (step === undefined) {
        step = this.#earlier(outlook, runeClass, conditions);
        outlook.earlier[key] = step;
      }
      if (step.countedIn !== search) {
        step.countedIn = search;
        this.work += step.cost;
        if (this.work > allowed) return undefined;
      }
      outlook = step.to;
      outlooks[at] = outlook;
    }
    return outlooks;
  }

  #end(conditions: number): Outlook {
    if (this.#outlooks.size > mostOutlooks) {
      this.#outlooks = new Map();
      this.#ends = new Map();
    }
    let end = this.#ends.get(conditions);
    if (end === undefined) {
      end = this.#outlook(this.#program.matchPcs, conditions);
      this.#ends.set(conditions, end);
    }
    return end;
  }

  #earlier(outlook: Outlook, runeClass: number, conditions: number): Step {
    const {runeBefore: before, matchPcs} = this.#program;
    const live = [...matchPcs];
    let cost = 1;
    for (const pc of outlook.pcs) {
      for (const previous of before[pc] ?? []) {
        cost++;
        if (this.#program.takes(previous, runeClass)) live.push(previous);
      }
    }
    const to = this.#outlook(live, conditions);
    return {to, cost: cost + to.pcs.length + to.bits.length, countedIn: 0};
  }

  /** The outlook where these instructions come to a match: with them all that lead to them without taking a character. */
  #outlook(live: readonly number[], conditions: number): Outlook {
    const {size, emptyBefore, op, arg} = this.#program;
    const bits = new Uint32Array((size + 31) >> 5);
    const pcs: number[] = [];
    const add = (pc: number): void => {
      const word = pc >> 5;
      const bit = 1 << (pc & 31);
      if (((bits[word] ?? 0) & bit) !== 0) return;
      bits[word] = (bits[word] ?? 0) | bit;
      pcs.push(pc);
    };
    live.forEach(add);
    for (let i = 0; i < pcs.length; i++) {
      for (const pc of emptyBefore[pcs[i] ?? 0] ?? []) {
        if (op[pc] !== ops.condition || ((arg[pc] ?? 0) & ~conditions) === 0) add(pc);
      }
    }
    const key = bits.join();
    const known = this.#outlooks.get(key);
    if (known !== undefined) return known;
    const outlook: Outlook = {pcs, bits, earlier: []};
    this.#outlooks.set(key, outlook);
    return outlook;
  }

  /** The match that begins here, by preference. Knowing the outlook, no way is tried in vain except in circles. */
  #walk(text: string, outlooks: readonly (Outlook | undefined)[], from: number): Captures {
    const {op, out, arg, start, captures: size} = this.#program;
    const captures: Captures = new Int32Array(size).fill(-1);
    captures[0] = from;
    const ways = this.#ways;
    let at = from;
    let pc = start;
    ways.forget();
    for (let outlook = outlooks[at]; outlook !== undefined; ) {
      if (!has(outlook, pc) || !ways.enter(pc)) {
        pc = ways.back(captures);
        if (pc < 0) break; // Cannot be: the start had a way to a match.
        continue;
      }
      const kind = op[pc] ?? ops.fail;
      if (kind === ops.match) {
        captures[1] = at;
        break;
      }
      if (takesRune(kind)) {
        at += widthAt(text, at);
        outlook = outlooks[at];
        ways.forget();
      } else if (kind === ops.capture) ways.capture(captures, arg[pc] ?? 0, at);
      else if (kind === ops.alternative || kind === ops.alternativeMatch) ways.remember(arg[pc] ?? 0);
      pc = out[pc] ?? 0;
    }
    return captures;
  }
}

/** Where else one could go from the present place, and what to take back then. Forgotten with each character. */
class Ways {
  readonly #entered: Int32Array;
  #place = 0;
  readonly #others: number[] = [];
  #otherCount = 0;
  readonly #changes: number[] = [];
  #changeCount = 0;

  constructor(size: number) {
    this.#entered = new Int32Array(size);
  }

  forget(): void {
    this.#place++;
    this.#otherCount = 0;
    this.#changeCount = 0;
  }

  /** False when one has been there since the last character: a circle. */
  enter(pc: number): boolean {
    if (this.#entered[pc] === this.#place) return false;
    this.#entered[pc] = this.#place;
    return true;
  }

  remember(pc: number): void {
    this.#others[this.#otherCount++] = pc;
    this.#others[this.#otherCount++] = this.#changeCount;
  }

  capture(captures: Captures, slot: number, at: number): void {
    this.#changes[this.#changeCount++] = slot;
    this.#changes[this.#changeCount++] = captures[slot] ?? -1;
    captures[slot] = at;
  }

  /** The last other way, with the captures as they were there; -1 when there is none. */
  back(captures: Captures): number {
    if (this.#otherCount === 0) return -1;
    const changes = this.#others[--this.#otherCount] ?? 0;
    while (this.#changeCount > changes) {
      const was = this.#changes[--this.#changeCount] ?? -1;
      captures[this.#changes[--this.#changeCount] ?? 0] = was;
    }
    return this.#others[--this.#otherCount] ?? -1;
  }
}

function has({bits}: Outlook, pc: number): boolean {
  return ((bits[pc >> 5] ?? 0) & (1 << (pc & 31))) !== 0;
}
