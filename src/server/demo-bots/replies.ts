import type {ReplyRule} from './bot-script.ts';

const placeholder = /\{\{(n|seq):(\d+)(?::(\d+))?(?::([\d.]+))?\}\}/g;

/**
 * Fills in `{{n:3:25}}` (a random number in the range), `{{n:48:56:0.1}}` (times 0.1) and `{{seq:2223}}` (plus
 * `count`).
 */
export function fillTemplate(text: string, random: () => number, count: number): string {
  return text.replaceAll(placeholder, (_all, word: string, low: string, high = low, step = '1') => {
    if (word === 'seq') return String(Number(low) + count);
    const number = Number(low) + Math.floor(random() * (Number(high) - Number(low) + 1));
    const decimals = step.split('.')[1]?.length ?? 0;
    return (number * Number(step)).toFixed(decimals);
  });
}

/** Picks replies by the first rule that matches, and never the same reply twice in a row. */
export class Replies {
  readonly #rules: readonly ReplyRule[];
  readonly #random: () => number;
  readonly #lastReplies = new Map<ReplyRule, string>();

  constructor(rules: readonly ReplyRule[], random: () => number) {
    this.#rules = rules;
    this.#random = random;
  }

  replyTo(text: string): string | undefined {
    const rule = this.#rules.find(({when}) => when.test(text));
    if (rule === undefined) return undefined;
    const fresh = rule.say.filter((line) => line !== this.#lastReplies.get(rule));
    const choices = fresh.length === 0 ? rule.say : fresh;
    const line = choices[Math.floor(this.#random() * choices.length)];
    if (line === undefined) return undefined;
    this.#lastReplies.set(rule, line);
    return fillTemplate(line, this.#random, 0);
  }
}
