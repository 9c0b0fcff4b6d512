/** Matches the words that the index's tokenizer finds, with accents that are characters of their own. */
const word = /(?:[\p{L}\p{N}\p{Co}]|[\u0300-\u036f])+/gu;

const maxKnownKeys = 20_000;
const knownKeys = new Map<string, string>();

function keyOf(text: string): string {
  const known = knownKeys.get(text);
  if (known !== undefined) return known;
  const key = stemOf(text.toLowerCase().normalize('NFC'));
  if (knownKeys.size >= maxKnownKeys) knownKeys.clear();
  knownKeys.set(text, key);
  return key;
}

/** Returns the words of a text, each with how the search index spells it: without case and inflection. */
export function indexedWords(text: string) {
  return Array.from(text.matchAll(word), ({0: found, index: start}) => {
    return {key: keyOf(found), start, end: start + found.length};
  });
}

/** Returns a text as the search index contains it; the SQL function `search_text`. */
export function searchText(text: string): string {
  return (text.match(word) ?? []).map(keyOf).join(' ');
}

/** Whether a text contains a phrase of any case, character by character; the SQL function `has_phrase`. */
export function hasPhrase(text: string, phrase: string): boolean {
  return text.toLowerCase().includes(phrase.toLowerCase());
}

/**
 * Reduces an English word to its stem, so that a search finds its other forms. Zulip's servers look words up in a spelling
 * dictionary and take their base forms. Without a dictionary, this removes inflections by the rules of the Porter2
 * algorithm and then the derivational suffixes that the dictionary knows. Porter2 goes further: it makes "organ" of
 * "organization" and "univers" of "university".
 *
 * The search index contains stems: a change here needs a migration that indexes all messages again.
 */
function stemOf(word: string): string {
  return word.length < 4 || !/^[a-z]+$/.test(word)
    ? word
    : withoutEnding(withoutDerivation(withoutInflection(withoutPlural(word))));
}

function withoutPlural(word: string): string {
  if (/ie[sd]$/.test(word)) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:ss|x|zz|[cs]h)es$/.test(word)) return word.slice(0, -2);
  return /[aeiouy].*[^us]s$/.test(word) ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
  if (word.endsWith('eed')) return isPastStart(word, 3) ? word.slice(0, -1) : word;
  const [, base = '', suffix] = /^(.*[aeiouy].*)(?:ed|ing)(ly)?$/.exec(word) ?? [];
  if (base === '') return word;
  return withFinalE(base) + (suffix ?? '');
}

/** Restores the spelling of a verb from which "-ed" or "-ing" was removed: hoped, hopped, planned. */
function withFinalE(base: string): string {
  if (/(?:at|bl|iz)$/.test(base) || isShort(base)) return `${base}e`;
  return /..(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base) ? base.slice(0, -1) : base;
}

/** Derivational suffixes and what a base has in their place. The first that fits counts. */
const derivations: readonly (readonly [suffix: RegExp, replacement: string])[] = [
  [/iness$/, 'y'],
  [/ness$/, ''],
  [/ment$/, ''],
  [/(?<=[^aeiou])able$/, 'e'],
  [/ication$/, 'y'],
  [/ion$/, 'e'],
  // Not of apply, reply, supply.
  [/(?<!p)ly$/, ''],
  [/ie(?:r|st)$/, 'y'],
  [/e(?:r|st)$/, 'e'],
];

function withoutDerivation(word: string): string {
  const found = derivations.find(([suffix]) => suffix.test(word));
  if (found === undefined) return word;
  const base = word.replace(...found);
  return isPastStart(word, word.length - word.search(found[0])) ? base : word;
}

/** Removes a final "e" that other forms of the word do not have. */
function withoutEnding(word: string): string {
  if (word.endsWith('ie')) return `${word.slice(0, -2)}y`;
  return word.endsWith('e') && isPastStart(word, 1) && !isShort(word.slice(0, -1)) ? word.slice(0, -1) : word;
}

/** Whether the last letters of a word, so many of them, follow its first vowel and consonant: the region R1 of Porter2. */
function isPastStart(word: string, count: number): boolean {
  return /[aeiouy][^aeiouy]|[aeiou]y/.test(word.slice(0, -count));
}

/** Whether a word is one syllable that ends in a short vowel and a consonant, as "hop" and "plan". */
function isShort(word: string): boolean {
  return /^(?:[^aeiouy]*[aeiouy][^aeiouywx]|[aeiouy][^aeiouy])$/.test(word);
}

/** The CPU time that the searches of one transaction may take: as long, no other request is served. */
const defaultMs = 200;
/** Asking for the CPU time costs more than a step, so it is done only at every so many steps. */
const stepsPerCheck = 64;

/** The error when a search takes too long. */
export class SearchTooSlow extends Error {
  override readonly name = 'SearchTooSlow';
}

/**
 * Limits the time of searches. The SQL function `in_time()` is a condition of every query whose number of steps a caller
 * can choose: it is evaluated for each row that is read, and ends the query with an error when the transaction has used
 * up its time. Node has no other way to interrupt a query. CPU time counts, so that a busy machine refuses nothing.
 */
export class SearchBudget {
  readonly #limit: number;
  #steps = 0;
  /** The CPU time that earlier searches of this transaction took, in microseconds. */
  #used = 0;
  /** The CPU time when the running search began. */
  #start: NodeJS.CpuUsage | undefined;

  constructor(ms = defaultMs) {
    this.#limit = ms * 1000;
  }

  beginTransaction(): void {
    this.#steps = 0;
    this.#used = 0;
    this.#start = undefined;
  }

  /** Implements `in_time()`. */
  step(): number {
    this.#start ??= process.cpuUsage();
    if (this.#steps++ % stepsPerCheck === 0 && this.#used + timeSince(this.#start) >= this.#limit) {
      throw new SearchTooSlow();
    }
    return 1;
  }

  finishQuery(): void {
    if (this.#start === undefined) return;
    this.#used += timeSince(this.#start);
    this.#start = undefined;
  }
}

function timeSince(start: NodeJS.CpuUsage): number {
  const {user, system} = process.cpuUsage(start);
  return user + system;
}
