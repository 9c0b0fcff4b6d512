import {codeLanguageName} from '#content/code-language.ts';
import type {Role, Span} from '#content/lines/line.ts';
import {Lru} from '#std/lru.ts';
import {printable} from '#std/printable.ts';
import {grammarOfLanguage} from './highlight-grammars.ts';

export type HighlightedLine = readonly Span[];

/** Longer code is shown plain: what is seen of it at a time does not justify the wait. */
const longestCode = 8000;
const longestLine = 500;
const tabStop = 4;
/** Milliseconds; most code takes a quarter at most. Whoever writes code against a grammar's patterns gets no colours. */
const defaultPatience = 40;

const results = new Lru<string, Promise<readonly HighlightedLine[] | undefined>>(200);

/** Whether code under a fence that names this language gets colours. */
export function isHighlightable(language: string): boolean {
  return grammarOfLanguage.has(codeLanguageName(language));
}

/** The lines as they are shown: nothing a terminal would obey, spaces for tabs. */
export function codeLines(code: string): readonly string[] {
  return printable(code)
    .split('\n')
    .map((line) => (line.includes('\t') ? withoutTabs(line) : line));
}

function withoutTabs(line: string): string {
  let out = '';
  let column = 0;
  for (const part of line.split(/(\t)/)) {
    const text = part === '\t' ? ' '.repeat(tabStop - (column % tabStop)) : part;
    column += text.length;
    out += text;
  }
  return out;
}

/**
 * The lines of `codeLines(code)` in colours; undefined when the language is not known, the code is too long or takes too long.
 * What it needs is loaded when it is first asked, so ask off the path to the first paint. Blocks for `patience` at most twice.
 */
export function highlighted(
  language: string,
  code: string,
  patience = defaultPatience,
): Promise<readonly HighlightedLine[] | undefined> {
  const grammar = grammarOfLanguage.get(codeLanguageName(language));
  if (grammar === undefined || code.length > longestCode) return Promise.resolve(undefined);
  const key = `${grammar}\n${code}`;
  let result = results.get(key);
  if (result === undefined) {
    result = newResult(grammar, codeLines(code), patience);
    results.set(key, result);
  }
  return result;
}

async function newResult(
  grammar: string,
  lines: readonly string[],
  patience: number,
): Promise<readonly HighlightedLine[] | undefined> {
  if (lines.some((line) => line.length > longestLine)) return undefined;
  try {
    const {highlightTree} = await import('./highlighter.ts');
    const root = await highlightTree(grammar, lines.join('\n'), patience);
    if (root === undefined) return undefined;
    const spans = spanLines(root);
    // Colours may never change what the code says.
    const same = spans.map((line) => line.map(({text}) => text).join('')).join('\n') === lines.join('\n');
    return same ? spans : undefined;
  } catch {
    return undefined; // Plain code is as good an answer to whatever went wrong.
  }
}

interface Node {
  readonly kind?: string;
  readonly children: readonly (Node | string)[];
}

/** A tree of scopes → lines of spans. Each piece of text has the role of the innermost scope that has one. */
function spanLines(root: Node): readonly HighlightedLine[] {
  const lines: Span[][] = [[]];
  const add = (text: string, role: Role): void => {
    const [first = '', ...rest] = text.split('\n');
    push(lines.at(-1), first, role);
    for (const line of rest) {
      const fresh: Span[] = [];
      push(fresh, line, role);
      lines.push(fresh);
    }
  };
  // By hand rather than by recursion: how deep scopes nest is up to the code.
  const stack: {readonly node: Node; readonly role: Role; next: number}[] = [
    {node: root, role: 'code_block', next: 0},
  ];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const child = top.node.children[top.next++];
    if (child === undefined) stack.pop();
    else if (typeof child === 'string') add(child, top.role);
    else stack.push({node: child, role: roleOf(child.kind) ?? top.role, next: 0});
  }
  return lines;
}

function push(line: Span[] | undefined, text: string, role: Role): void {
  if (line === undefined || text === '') return;
  const last = line.at(-1);
  if (last?.role === role) line[line.length - 1] = {text: last.text + text, role};
  else line.push({text, role});
}

const roles: Readonly<Record<string, Role>> = {
  keyword: 'code_keyword',
  'meta-keyword': 'code_keyword',
  'selector-tag': 'code_keyword',
  operator: 'code_keyword',
  meta: 'code_keyword',
  string: 'code_string',
  'meta-string': 'code_string',
  regexp: 'code_string',
  char: 'code_string',
  link: 'code_string',
  quote: 'code_string',
  'template-variable': 'code_string',
  comment: 'code_comment',
  number: 'code_number',
  literal: 'code_number',
  symbol: 'code_number',
  bullet: 'code_number',
  title: 'code_name',
  name: 'code_name',
  section: 'code_name',
  attr: 'code_name',
  attribute: 'code_name',
  property: 'code_name',
  variable: 'code_name',
  'selector-id': 'code_name',
  'selector-class': 'code_name',
  'selector-attr': 'code_name',
  'selector-pseudo': 'code_name',
  type: 'code_type',
  built_in: 'code_type',
  class: 'code_block',
  params: 'code_block',
  subst: 'code_block',
  addition: 'code_added',
  deletion: 'code_removed',
};

function roleOf(scope: string | undefined): Role | undefined {
  return scope !== undefined && Object.hasOwn(roles, scope) ? roles[scope] : undefined;
}
