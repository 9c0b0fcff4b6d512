import {DemoDataError} from '#server/seed/demo-world/demo-data-error.ts';
import {parseJson} from '#server/seed/demo-world/world-file.ts';
import {readAsset} from '#std/program-files.ts';
import {s, strings} from '#wire/schema.ts';

/** The replies to messages that match a pattern; the first rule that matches is used. */
interface ReplyRule {
  readonly when: RegExp;
  readonly say: readonly string[];
}

/** Messages that an account sends from time to time: each once, in this order, starting at a random one. */
export interface SmallTalk {
  readonly everyMinutes: number;
  readonly channel: string;
  readonly topic: string;
  readonly say: readonly string[];
}

/** The behaviour of one demo account; see assets/demo/README.md. */
export interface BotScript {
  readonly key: string;
  /** Whether the account is a person of the demo and not a bot. */
  readonly isPerson: boolean;
  readonly answersDirect: boolean;
  readonly answersMentions: boolean;
  readonly replies: readonly ReplyRule[];
  readonly smallTalk: readonly SmallTalk[];
}

const schema = s.array(
  s.strictObject({
    bot: s.string(),
    answers: s.picklist(['dm', 'mention', 'dm, mention', 'none']),
    person: s.optional(s.boolean(), false),
    replies: s.array(s.strictObject({when: s.string(), say: strings})),
    smalltalk: s.array(
      s.strictObject({
        every_minutes: s.pipe(s.number(), s.minValue(1)),
        channel: s.string(),
        topic: s.string(),
        say: strings,
      }),
    ),
  }),
);

export function readBotScripts(): BotScript[] {
  return parseBotScripts('bots.json', readAsset('demo/bots.json'));
}

export function parseBotScripts(file: string, json: string): BotScript[] {
  return parseJson(file, json, schema).map(({bot, answers, person, replies, smalltalk}) => ({
    key: bot,
    isPerson: person,
    answersDirect: answers.includes('dm'),
    answersMentions: answers.includes('mention'),
    replies: replies.map(({when, say}) => ({when: pattern(file, bot, when), say})),
    smallTalk: smalltalk.map(({every_minutes, ...talk}) => ({everyMinutes: every_minutes, ...talk})),
  }));
}

function pattern(file: string, bot: string, source: string): RegExp {
  try {
    return new RegExp(source, 'i');
  } catch (error) {
    throw new DemoDataError({file, position: bot}, `“${source}” is not a pattern`, {cause: error});
  }
}

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
