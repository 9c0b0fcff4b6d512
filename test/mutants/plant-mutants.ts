import {parseSync} from 'rolldown/utils';
import {checksumOf} from './coverage.ts';

/** A small bug that may be planted. */
export interface Mutant {
  readonly line: number;
  /** What is changed, as a reader of the report sees it. */
  readonly change: string;
  /** Whether it is evaluated with its module, before any test begins. */
  readonly isEvaluatedOnce: boolean;
}

interface AstNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '-': '+',
};

/** Methods that may be left out: what they are called on has the same type as their result. */
const droppable = new Set(
  'filter toSorted sort reverse toReversed slice trim trimEnd trimStart toLowerCase concat normalize'.split(' '),
);

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Whether the parts of a node are evaluated later than the node. */
function isFunction({type, static: isStatic}: AstNode): boolean {
  return /Function/.test(type) || (type === 'PropertyDefinition' && isStatic === false);
}

/**
 * Returns the text with all mutants planted, each behind a switch (`$m` of `switches.ts`), and the list of them. No line is
 * added or removed. So one text serves every mutant, and it also says which of them a test reaches.
 */
export function plantMutants(file: string, text: string): {readonly code: string; readonly mutants: readonly Mutant[]} {
  const {program, errors} = parseSync(file, text, {preserveParens: true});
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  /** What is inserted at each place: beginnings in the order of nesting, ends in the opposite order. */
  const begins = new Map<number, string>();
  const ends = new Map<number, string>();
  /** Operators that are replaced, by where the text before them ends. */
  const replaced = new Map<number, {readonly end: number; readonly text: string}>();
  let depth = 0;
  visit(program, '');
  const args = [file, checksumOf(text)].map((arg) => JSON.stringify(arg));
  return {code: `const $m=globalThis.$mutants(${args});${insertAll()}`, mutants};

  function insertAll(): string {
    let code = '';
    let done = 0;
    const places = [...new Set([...begins.keys(), ...ends.keys(), ...replaced.keys()])].sort((a, b) => a - b);
    for (const place of places) {
      code += text.slice(done, place) + (ends.get(place) ?? '');
      const operator = replaced.get(place);
      // Nothing else is inserted between an operator and what is left of it.
      code += operator?.text ?? '';
      done = operator?.end ?? place;
      code += begins.get(place) ?? '';
    }
    return code + text.slice(done);
  }

  function add({start}: AstNode, change: string): number {
    const line = text.slice(0, start).split('\n').length;
    return mutants.push({line, change: change.replace(/\s+/g, ' ').slice(0, 140), isEvaluatedOnce: depth === 0}) - 1;
  }

  function wrap({start, end}: AstNode, before: string, after: string): void {
    begins.set(start, (begins.get(start) ?? '') + before);
    ends.set(end, after + (ends.get(end) ?? ''));
  }

  function source({start, end}: AstNode): string {
    return text.slice(start, end);
  }

  /** Plants the mutants of a node, then those in it: parents come first, so that their beginnings are outside. */
  function visit(value: unknown, field: string): void {
    if (Array.isArray(value)) for (const item of value) visit(item, field);
    if (!isNode(value)) return;
    // A type has no expression; `as` and its like have one.
    if (value.type.startsWith('TS')) {
      visit(value.expression, field);
      return;
    }
    plant(value, field);
    const isLater = isFunction(value);
    if (isLater) depth += 1;
    for (const [name, child] of Object.entries(value)) {
      const isName = (name === 'property' || name === 'key') && value.computed === false;
      if (!isName) visit(child, value.type === 'ChainExpression' || field === 'chain' ? 'chain' : name);
    }
    if (isLater) depth -= 1;
  }

  function plant(node: AstNode, field: string): void {
    const {test, left, right, operator, expression} = node;
    if ((node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isNode(test)) {
      const isComparison = test.type === 'BinaryExpression' && String(test.operator).endsWith('==');
      if (!isComparison) wrap(test, `$m.not(${add(test, `negate ${source(test)}`)},(`, '))');
    }
    if (node.type === 'ExpressionStatement' && isNode(expression) && typeof node.directive !== 'string') {
      if (!source(expression).startsWith('super('))
        wrap(expression, `$m(${add(expression, `drop ${source(expression)}`)})||(`, ')');
    }
    if (isNode(left) && isNode(right)) plantOperator(node, left, right, String(operator));
    if (node.type === 'Literal' && typeof node.value === 'number')
      wrap(node, `(($m(${add(node, `${source(node)} → ${node.value + 1}`)})?1:0)+`, ')');
    if (node.type === 'Literal' && typeof node.value === 'boolean')
      wrap(node, `($m(${add(node, `${node.value} → ${!node.value}`)})!==`, ')');
    if (node.type === 'CallExpression' && field !== 'chain') plantDroppedMethod(node);
  }

  function plantOperator(node: AstNode, left: AstNode, right: AstNode, operator: string): void {
    if (node.type === 'LogicalExpression') {
      const id = add(right, `drop ${operator} ${source(right)}`);
      const before = {'&&': `($m(${id})||(`, '||': `(!$m(${id})&&(`}[operator] ?? `($m(${id})?undefined:(`;
      wrap(right, before, '))');
    }
    const other = comparisons[operator];
    if (node.type !== 'BinaryExpression' || other === undefined) return;
    const id = add(node, `${source(node)}: ${operator} → ${other}`);
    wrap(node, `$m.compare(${id},'${operator}',`, ')');
    const gap = text.slice(left.end, right.start);
    replaced.set(left.end, {end: right.start, text: gap.replace(operator, ',')});
  }

  function plantDroppedMethod(node: AstNode): void {
    const {callee} = node;
    if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee.object) || !isNode(callee.property))
      return;
    if (!droppable.has(source(callee.property)) || callee.object.type === 'Super') return;
    const method = text.slice(callee.object.end, node.end);
    if (/\b(?:await|yield)\b/.test(method)) return;
    wrap(node, `$m.drop(${add(callee.property, `drop ${method.trim()}`)},`, ')');
    ends.set(callee.object.end, `,($o)=>$o${ends.get(callee.object.end) ?? ''}`);
  }
}
