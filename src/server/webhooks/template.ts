import {badRequest} from '#server/errors.ts';
import {isRecord} from '#std/parse-json.ts';

/** What a template is made of: text, a value, a part under a condition, or a part for each item of a list. */
type Part =
  | {readonly kind: 'text'; readonly text: string}
  | {readonly kind: 'value'; readonly path: string; readonly filters: readonly string[]}
  | {
      readonly kind: 'if';
      readonly path: string;
      readonly value: string | undefined;
      readonly parts: readonly Part[];
      readonly others: readonly Part[];
    }
  | {readonly kind: 'each'; readonly path: string; readonly parts: readonly Part[]};

const maxItems = 20;
const maxLength = 10_000;
const maxDepth = 10;
/** The parts of one message: lists within lists could have no end otherwise. */
const maxParts = 10_000;

const filters: Readonly<Record<string, (text: string) => string>> = {
  /** The first line. */
  line: (text) => text.split('\n', 1)[0] ?? '',
  /** As much of the id of a commit as people write. */
  short: (text) => text.slice(0, 7),
  /** The name of a branch in `refs/heads/main`. */
  branch: (text) => text.replace(/^refs\/(heads|tags)\//, ''),
};

/**
 * Fills a template with the values of a JSON body. `{{path.to.value}}` is a value, `{{value|line}}` its first line. `{{#if path}}…{{else}}…{{/if}}`
 * and `{{#if path = word}}` choose, `{{#each path}}…{{/each}}` repeats: paths in it begin at the item, or else at the body. Throws for a
 * template that is none.
 */
export function fillTemplate(template: string, body: unknown): string {
  const tokens = template.split(/(\{\{[^{}]*\}\})/);
  const {parts, end} = parse(tokens, 0, []);
  if (end < tokens.length) throw wrong(`${tokens[end]} has no beginning`);
  return render(parts, [body], {left: maxParts}).slice(0, maxLength);
}

function wrong(problem: string) {
  return badRequest(`The template is wrong: ${problem}.`);
}

interface Parsed {
  readonly parts: readonly Part[];
  /** The position of the token that ends them, or the number of tokens. */
  readonly end: number;
}

/** Parses up to one of the tokens, or to the end. */
function parse(tokens: readonly string[], start: number, ends: readonly string[], depth = 0): Parsed {
  if (depth > maxDepth) throw wrong('its parts are nested too deeply');
  const parts: Part[] = [];
  let at = start;
  while (at < tokens.length) {
    const token = tokens[at] ?? '';
    const [, code] = /^\{\{\s*(.*?)\s*\}\}$/s.exec(token) ?? [];
    const [, block, path = '', value] = /^#(if|each) ([^\s=]+)(?: *= *(.*))?$/.exec(code ?? '') ?? [];
    if (code === undefined) {
      parts.push({kind: 'text', text: token});
      at += 1;
    } else if (block !== undefined) {
      const name = `/${block}`;
      const inner = parse(tokens, at + 1, block === 'if' ? ['else', name] : [name], depth + 1);
      const hasElse = codeOf(tokens[inner.end]) === 'else';
      const others = hasElse ? parse(tokens, inner.end + 1, [name], depth + 1) : undefined;
      const end = others?.end ?? inner.end;
      if (end >= tokens.length) throw wrong(`${token} has no {{${name}}}`);
      if (block === 'each') parts.push({kind: 'each', path, parts: inner.parts});
      else parts.push({kind: 'if', path, value, parts: inner.parts, others: others?.parts ?? []});
      at = end + 1;
    } else if (ends.includes(code)) {
      return {parts, end: at};
    } else if (/^(else|[#/].*)$/.test(code) || code === '') {
      throw wrong(`${token} is not known here`);
    } else {
      parts.push(valuePart(code));
      at += 1;
    }
  }
  return {parts, end: at};
}

function codeOf(token = ''): string {
  return token.replace(/^\{\{\s*|\s*\}\}$/g, '');
}

function valuePart(code: string): Part {
  const [path = '', ...names] = code.split('|').map((name) => name.trim());
  const unknown = names.find((name) => !Object.hasOwn(filters, name));
  if (unknown !== undefined) throw wrong(`there is no filter “${unknown}”: use ${Object.keys(filters).join(', ')}`);
  return {kind: 'value', path, filters: names};
}

/** `scopes` has the body and the items around, the innermost last. */
function render(parts: readonly Part[], scopes: readonly unknown[], budget: {left: number}): string {
  let text = '';
  for (const part of parts) {
    budget.left -= 1;
    if (text.length > maxLength || budget.left < 0) break;
    if (part.kind === 'text') text += part.text;
    else if (part.kind === 'value')
      text += part.filters.reduce((value, name) => filters[name]?.(value) ?? '', textAt(scopes, part.path));
    else if (part.kind === 'if')
      text += render(isMet(scopes, part.path, part.value) ? part.parts : part.others, scopes, budget);
    else for (const item of itemsAt(scopes, part.path)) text += render(part.parts, [...scopes, item], budget);
  }
  return text;
}

function isMet(scopes: readonly unknown[], path: string, wanted: string | undefined): boolean {
  const value = valueAt(scopes, path);
  if (wanted !== undefined) return textOf(value) === wanted;
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function itemsAt(scopes: readonly unknown[], path: string): readonly unknown[] {
  const value = valueAt(scopes, path);
  return Array.isArray(value) ? value.slice(0, maxItems) : [];
}

function textAt(scopes: readonly unknown[], path: string): string {
  return textOf(valueAt(scopes, path));
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function valueAt(scopes: readonly unknown[], path: string): unknown {
  if (path === '.') return scopes.at(-1);
  for (const scope of scopes.toReversed()) {
    const value = memberAt(scope, path);
    if (value !== undefined) return value;
  }
  return undefined;
}

function memberAt(scope: unknown, path: string): unknown {
  let value: unknown = scope;
  for (const name of path.split('.')) {
    if (Array.isArray(value)) value = value[Number(name)];
    else if (isRecord(value) && Object.hasOwn(value, name)) value = value[name];
    else return undefined;
  }
  return value;
}
