import {codeLanguageName} from '#content/code-language.ts';
import {ownValue} from '#std/own-value.ts';
import {readAsset} from '#std/program-files.ts';
import {escapeLiteral} from './escape-html.ts';

/** The grammar of each highlighted language, by its display name. */
const grammarByLanguage: Readonly<Record<string, string>> = {
  Bash: 'bash',
  C: 'c',
  'C++': 'cpp',
  Diff: 'diff',
  Go: 'go',
  HTML: 'html',
  INI: 'ini',
  Java: 'java',
  JavaScript: 'javascript',
  JSON: 'json',
  Python: 'python',
  'Python 2.x': 'python',
  Ruby: 'ruby',
  Rust: 'rust',
  SQL: 'sql',
  TeX: 'tex',
  TOML: 'toml',
  TypeScript: 'typescript',
  XML: 'xml',
  YAML: 'yaml',
};

/**
 * Larger code is not highlighted, because a send waits for it: patterns search the rest of their line or of the code, which
 * takes time that grows with the square of the line's length, and of the number of lines.
 */
const maxCodeLength = 10_000;
const maxLineCount = 500;
const maxLineLength = 500;

/** A text of one class; the class of plain text is empty. */
type CodeToken = {readonly kind: string; readonly text: string};

/** Returns code as HTML with a final newline, highlighted as a Zulip server does, if the language is known. */
export function codeHtml(given: string | undefined, code: string): string {
  // Code without a language may name it in its first line: `#!/bin/bash` or `:::python`.
  const alias = /^(?:::+|#!)(?:(?:\/\w+)*[/ ])?([\w#.+-]+)/.exec(code)?.[1];
  const language = given ?? (alias === undefined ? undefined : codeLanguageName(alias));
  const text = `${code}\n`;
  if (language === undefined || !isSmall(text)) return escapeLiteral(text);
  if (language === 'Bash Session') return tokensHtml(sessionTokens(text));
  const name = ownValue(grammarByLanguage, language);
  return name === undefined ? escapeLiteral(text) : tokensHtml(codeTokens(codeGrammar(name), text));
}

function isSmall(text: string): boolean {
  if (text.length > maxCodeLength) return false;
  const lines = text.split('\n');
  return lines.length <= maxLineCount && lines.every((line) => line.length <= maxLineLength);
}

/** Divides code into tokens. A character that no rule accepts is an error; at the end of a line the grammar starts again. */
function codeTokens(grammar: Grammar, text: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let at = 0;
  for (const [kind, length] of tokenLengths(grammar, patternText(text))) {
    tokens.push({kind, text: text.slice(at, at + length)});
    at += length;
  }
  return tokens;
}

type TokenLength = readonly [kind: string, length: number];

function tokenLengths(grammar: Grammar, text: string, state = 'root'): TokenLength[] {
  const tokens: TokenLength[] = [];
  let stack = ['root', state];
  let emptyMatches = 0;
  for (let at = 0; at < text.length; ) {
    let match: RegExpExecArray | null = null;
    const rule = grammar.get(stack.at(-1) ?? '')?.find(({pattern}) => {
      pattern.lastIndex = at;
      match = pattern.exec(text);
      return match !== null;
    });
    const [whole = '', ...groups]: readonly (string | undefined)[] = match ?? [];
    emptyMatches = whole === '' ? emptyMatches + 1 : 0;
    if (rule === undefined || emptyMatches > maxEmptyMatches) {
      if (text[at] === '\n') stack = ['root'];
      tokens.push([text[at++] === '\n' ? 'w' : 'err', 1]);
      continue;
    }
    at += whole.length;
    for (const [i, kind] of rule.classes.entries()) {
      const part = rule.classes.length === 1 ? whole : (groups[i] ?? '');
      const [, file, inner] = /^@(?:(.*)\/)?(.*)/.exec(kind) ?? [];
      if (inner !== undefined)
        tokens.push(...tokenLengths(file === undefined ? grammar : codeGrammar(file), part, inner));
      else if (kind !== '~') tokens.push([kind === '-' ? '' : kind, part.length]);
    }
    for (const next of rule.next) {
      if (next === '#push') stack.push(stack.at(-1) ?? 'root');
      else if (next !== '#pop') stack.push(next);
      else if (stack.length > 1) stack.pop();
    }
  }
  return tokens;
}

/** Rules that match nothing only change the state; more of them in a row would never end. */
const maxEmptyMatches = 20;

const prompt =
  /^((?:\[.*?\]|(?:\(\S+\))?(?:| |sh\S*?|[\p{L}\p{N}_]+\S+[@:]\S+(?:\s+\S+)?|\[\S+[@:][^\n]+\].+))\s*[$#%]\s*)(.*\n?)/u;
const virtualEnvironment = /^(\([^)]*\))(\s*)/;

/** Divides a shell session: lines with a prompt are commands, the others are output. */
function sessionTokens(text: string): CodeToken[] {
  const tokens: CodeToken[] = [];
  let command = '';
  let prompts: {at: number; token: CodeToken}[] = [];
  const addPrompt = (kind: string, prompted: string): void => {
    if (prompted !== '') prompts.push({at: command.length, token: {kind, text: prompted}});
  };
  const endCommand = (): void => {
    for (const token of withInsertions(codeTokens(codeGrammar('bash'), command), prompts)) tokens.push(token);
    command = '';
    prompts = [];
  };
  for (const whole of text.match(/.*\n?/g) ?? []) {
    const [, environment = '', space = ''] = virtualEnvironment.exec(whole) ?? [];
    addPrompt('gp gp-VirtualEnv', environment);
    addPrompt('', space);
    const line = whole.slice(environment.length + space.length);
    const [, shown, typed = ''] = prompt.exec(line) ?? [];
    const continues = command.endsWith('\\\n');
    if (shown !== undefined) addPrompt('gp', shown);
    else if (continues && line.startsWith('> ')) addPrompt('gp', '> ');
    if (shown !== undefined) command += typed;
    else if (continues) command += line.startsWith('> ') ? line.slice(2) : line;
    else {
      endCommand();
      if (line !== '') tokens.push({kind: 'go', text: line});
    }
  }
  endCommand();
  return tokens;
}

function withInsertions(
  tokens: readonly CodeToken[],
  insertions: readonly {at: number; token: CodeToken}[],
): CodeToken[] {
  const out: CodeToken[] = [];
  let position = 0;
  let next = 0;
  for (const {kind, text} of tokens) {
    let from = 0;
    for (
      let each = insertions[next];
      each !== undefined && each.at < position + text.length;
      each = insertions[++next]
    ) {
      out.push({kind, text: text.slice(from, each.at - position)}, each.token);
      from = each.at - position;
    }
    out.push({kind, text: text.slice(from)});
    position += text.length;
  }
  return [...out, ...insertions.slice(next).map(({token}) => token)];
}

/** Writes neighbours of one class in one element, which ends at the end of a line. */
function tokensHtml(tokens: readonly CodeToken[]): string {
  let html = '';
  let open = '';
  const enter = (kind: string): void => {
    if (kind === open) return;
    html += (open === '' ? '' : '</span>') + (kind === '' ? '' : `<span class="${kind.replaceAll('+', ' ')}">`);
    open = kind;
  };
  for (const {kind, text} of tokens) {
    text.split('\n').forEach((part, i) => {
      if (i > 0) {
        enter('');
        html += '\n';
      }
      if (part !== '') enter(kind);
      html += escapeLiteral(part);
    });
  }
  enter('');
  return html;
}

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

type Rule = {
  readonly pattern: RegExp;
  readonly classes: readonly string[];
  readonly next: readonly string[];
};
type Grammar = ReadonlyMap<string, readonly Rule[]>;

const grammars = new Map<string, Grammar>();

/** Returns the grammar of a file, which is read on first use. */
function codeGrammar(name: string): Grammar {
  const grammar = grammars.get(name) ?? parseGrammar(grammarText(name));
  grammars.set(name, grammar);
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
function patternText(text: string): string {
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
