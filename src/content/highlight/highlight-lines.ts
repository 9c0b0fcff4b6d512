/** Runs highlight.js and turns its scopes into lines of styled spans. Only the worker thread loads this file. */

import highlighter, {type TreeNode} from 'highlight.js/lib/core.js';
import type {Span, TextRole} from '#content/styled-text/line.ts';
import {grammars} from './grammars.ts';

export type HighlightedLine = readonly Span[];

/** Returns the highlighted lines of the code; undefined on an error, or when their text differs from the code. */
export function highlightLines(grammar: string, code: string): readonly HighlightedLine[] | undefined {
  const {emitter, errorRaised} = highlighter.highlight(code, {language: grammar, ignoreIllegals: true});
  if (errorRaised !== undefined) return undefined;
  const lines = spanLines(emitter.root);
  return lines.map((line) => line.map(({text}) => text).join('')).join('\n') === code ? lines : undefined;
}

const loads = new Map<string, Promise<void>>();

/** Loads a grammar and, transitively, the grammars of its embedded code. */
export async function loadGrammar(name: string): Promise<void> {
  const names = new Set([name]);
  for (const each of names) for (const other of grammars.get(each)?.needs ?? []) names.add(other);
  await Promise.all(Array.from(names, loadOne));
}

function loadOne(name: string): Promise<void> {
  let loading = loads.get(name);
  if (loading === undefined) {
    loading = register(name);
    loads.set(name, loading);
  }
  return loading;
}

async function register(name: string): Promise<void> {
  const source = grammars.get(name);
  // highlight.js prints a warning for an unknown language, so it never gets one.
  if (source === undefined) throw new Error(`No grammar ${name}`);
  highlighter.registerLanguage(name, (await source.load()).default);
  // A grammar's patterns are compiled on first use. Doing it here keeps that time out of the code's timeout.
  highlighter.highlight('', {language: name, ignoreIllegals: true});
}

/** Turns a tree of scopes into lines of spans. Each text gets the role of the innermost scope that has one. */
function spanLines(root: TreeNode): readonly HighlightedLine[] {
  const lines: Span[][] = [[]];
  const add = (text: string, role: TextRole): void => {
    const [first = '', ...rest] = text.split('\n');
    push(lines.at(-1), first, role);
    for (const line of rest) {
      const fresh: Span[] = [];
      push(fresh, line, role);
      lines.push(fresh);
    }
  };
  // An explicit stack, because the code decides how deep scopes nest and recursion could overflow.
  const stack: {readonly node: TreeNode; readonly role: TextRole; next: number}[] = [
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

function push(line: Span[] | undefined, text: string, role: TextRole): void {
  if (line === undefined || text === '') return;
  const last = line.at(-1);
  if (last?.role === role) line[line.length - 1] = {text: last.text + text, role};
  else line.push({text, role});
}

const roles: Readonly<Record<string, TextRole>> = {
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

function roleOf(scope: string | undefined): TextRole | undefined {
  return scope !== undefined && Object.hasOwn(roles, scope) ? roles[scope] : undefined;
}
