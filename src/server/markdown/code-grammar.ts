/**
 * The grammars of highlighted languages are files of `assets/content/code-grammars`. A file begins with named patterns:
 * `name = …`, or `name := a b c` for one of some words; `{{name}}` stands for the pattern, and `flags = i` ignores case. States
 * follow: `[name]` and their rules,
 *
 *     pattern  classes  next
 *
 * divided by two or more spaces; `default` matches nothing. The classes are those of Pygments, which Zulip servers use: one
 * for the whole match, or one for each group. `-` is text without a class, `~` leaves a group out, and `@state` or
 * `@file/state` divides the group by the rules of another state. `next` are states to enter, `#pop` to leave, or `#push` to
 * enter the same one again, separated by commas. `include  state` stands for the rules of that state. `extends  name` in the
 * first line begins with the patterns and states of another file. A line that starts with `;; ` is a comment.
 */

import {readAsset} from '#std/program-files.ts';

export type Rule = {
  readonly pattern: RegExp;
  readonly classes: readonly string[];
  readonly next: readonly string[];
};
export type Grammar = ReadonlyMap<string, readonly Rule[]>;

const grammars = new Map<string, Grammar>();

/** Returns the grammar of a file, which is read on first use. */
export function codeGrammar(name: string): Grammar {
  let grammar = grammars.get(name);
  if (grammar === undefined) {
    grammar = parseGrammar(grammarText(name));
    grammars.set(name, grammar);
  }
  return grammar;
}

/** Returns the text of a file after that of the grammar it extends; a later state replaces one of the same name. */
function grammarText(name: string): string {
  const text = readAsset(`content/code-grammars/${name}.txt`);
  const base = /^extends {2}(\w+)/.exec(text)?.[1];
  return base === undefined ? text : `${grammarText(base)}\n[]\n${text}`;
}

function parseGrammar(text: string): Grammar {
  const patterns = new Map<string, string>();
  const lines = new Map<string, string[]>();
  let state: string[] | undefined;
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith(';; ')) continue;
    const header = /^\[([\w-]*)\]$/.exec(line)?.[1];
    const definition = /^(\w+) (:?=) (.*)$/.exec(line);
    if (header === '') state = undefined;
    else if (header !== undefined) {
      state = [];
      lines.set(header, state);
    } else if (state !== undefined) state.push(line);
    else if (definition !== null) {
      const [, name = '', kind, value = ''] = definition;
      patterns.set(name, kind === ':=' ? oneOf(value.split(' ')) : expand(value, patterns));
    }
  }
  const rules = (name: string): Rule[] =>
    (lines.get(name) ?? []).flatMap((line) => {
      const [pattern = '', classes = '', next = ''] = line.split(/ {2,}/);
      if (pattern === 'include') return rules(classes);
      const source = pattern === 'default' ? '' : wideSource(expand(pattern, patterns));
      return {
        pattern: new RegExp(source, `my${patterns.get('flags') ?? ''}`),
        classes: classes.split(' '),
        next: next === '' ? [] : next.split(','),
      };
    });
  return new Map(Array.from(lines.keys(), (name) => [name, rules(name)]));
}

/** The longest word first, because a word may begin with another one. */
function oneOf(words: readonly string[]): string {
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return `(?:${escaped.sort((a, b) => b.length - a.length).join('|')})`;
}

function expand(pattern: string, patterns: ReadonlyMap<string, string>): string {
  return pattern.replace(/\{\{(\w+)\}\}/g, (_, name: string) => patterns.get(name) ?? '');
}

/** What stands for characters outside ASCII while rules are tried: patterns with Unicode classes are slow, also to compile. */
const letter = '\u00aa';
const mark = '\u0300';
const other = '\u00a4';

/** Returns the text of the same length that the patterns are tried on. */
export function patternText(text: string): string {
  return text.replace(/[^\0-\x7f\s]/gu, (character) => {
    const stand = /[\p{L}\p{N}]/u.test(character) ? letter : /\p{M}/u.test(character) ? mark : other;
    return stand.repeat(character.length);
  });
}

/** Lets a pattern accept what stands for other characters: letters in `\w` and for `\b`, and marks in `\p{M}`. */
function wideSource(pattern: string): string {
  const word = `\\w${letter}`;
  const boundary = `(?:(?<=[${word}])(?![${word}])|(?<![${word}])(?=[${word}]))`;
  let inClass = false;
  return pattern
    .replaceAll('\\p{L}', `a-zA-Z${letter}`)
    .replaceAll('\\p{M}', mark)
    .replace(/\\.|[[\]]/gs, (part) => {
      if (part === '[') inClass = true;
      else if (part === ']') inClass = false;
      else if (part === '\\w') return inClass ? word : `[${word}]`;
      else if (part === '\\b') return boundary;
      else if (part === '\\B') return `(?!${boundary})`;
      else if (part === '\\A') return '(?<![^])';
      return part;
    });
}
