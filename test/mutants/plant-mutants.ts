import {parseSync} from 'rolldown/utils';
import {checksumOf} from './coverage.ts';
import {type SqlChange, sqlChanges} from './sql-mutants.ts';

/** The kinds of small bugs. */
export const kinds = {
  condition: 'a negated condition',
  comparison: 'another comparison',
  statement: 'a dropped statement',
  operand: 'a dropped operand',
  method: 'a dropped method',
  number: 'a number one higher',
  boolean: 'the other boolean',
  property: 'a dropped property of an object',
  element: 'a dropped element of a list',
  row: 'a dropped entry of a table that is made with its module',
  spread: 'a dropped spread',
  input: 'a dropped input of a memo, or part of a key',
  event: 'a dropped field of an event',
  await: 'a dropped await',
  arguments: 'two arguments of one type in the other order',
  finally: 'what must always be done is done only after success',
  sql: 'a changed SQL text',
} as const;

type Kind = keyof typeof kinds;

/** A small bug that may be planted. */
export interface Mutant {
  readonly line: number;
  readonly kind: Kind;
  /** What is changed, as a reader of the report sees it. */
  readonly change: string;
  /** Whether it is evaluated with its module, before any test begins. */
  readonly isEvaluatedOnce: boolean;
  /** The number of the mutant whose switch tells that this one is reached: one for all parts of a list. */
  readonly reach: number;
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

/** Names that are often mistaken for each other. */
const opposites = new Set(
  'before,after start,end from,to left,right first,last min,max width,height columns,rows top,bottom old,new now,then x,y a,b'.split(
    ' ',
  ),
);

/** Functions whose arguments may have any order. */
const symmetric = /^(?:max|min)$|same|equal/i;

/** Names of values that decide whether something remembered is still right. */
const inputName = /(?:inputs|slices|basis|key)$/i;
const inputProperty = /^(?:inputs|slices|queryKey)$/;

function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesOf(value: unknown): readonly AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Whether the parts of a node are evaluated later than the node. */
function isFunction({type, static: isStatic}: AstNode): boolean {
  return /Function/.test(type) || (type === 'PropertyDefinition' && isStatic === false);
}

/** Returns the name that a node has as identifier, called function, property or declaration. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return '';
  const {name, property, callee, id, key} = node;
  return typeof name === 'string' ? name : nameOf(property ?? callee ?? id ?? key);
}

/** Returns the expression in parentheses and casts. */
function unwrapped(node: unknown): AstNode | undefined {
  if (!isNode(node)) return undefined;
  return node.type === 'ParenthesizedExpression' || /^TS(?:As|Satisfies|NonNull)/.test(node.type)
    ? unwrapped(node.expression)
    : node;
}

/**
 * Returns the text with all mutants planted, each behind a switch (`$m` of `switches.ts`), and the list of them. No line is
 * added or removed. So one text serves every mutant. `chosen` are the mutants that are planted, all unless told; `reach`
 * plants what says which of them a test reaches, and objects and lists are made as without mutants, because that is faster.
 */
export function plantMutants(
  file: string,
  text: string,
  chosen?: ReadonlySet<number> | 'reach',
): {readonly code: string; readonly mutants: readonly Mutant[]} {
  const {program, errors} = parseSync(file, text, {preserveParens: true});
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const mutants: Mutant[] = [];
  /** What is inserted at each place: beginnings in the order of nesting, ends in the opposite order. */
  const begins = new Map<number, string>();
  const ends = new Map<number, string>();
  /** Operators that are replaced, by where the text before them ends. */
  const replaced = new Map<number, {readonly end: number; readonly text: string}>();
  /** Lists and keys that decide whether something remembered is still right. */
  const inputs = new Set<AstNode>();
  /** Objects that are bodies of events are in these nodes. */
  const events = new Set<AstNode>();
  /** Names that are given to `emit`. */
  const emitted = new Set<string>();
  /** The types of names, and of the parameters of functions, as they are written. */
  const types = new Map<string, Set<string>>();
  const parameters = new Map<string, readonly string[]>();
  let depth = 0;
  let eventDepth = 0;
  survey(program);
  visit(program, '', undefined);
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

  /** Adds a mutant and returns its number, or nothing if it is not planted. */
  function add(kind: Kind, {start}: AstNode, change: string, reach = mutants.length): number | undefined {
    const line = text.slice(0, start).split('\n').length;
    const shown = change.replace(/\s+/g, ' ').slice(0, 140);
    const id = mutants.push({line, kind, change: shown, isEvaluatedOnce: depth === 0, reach}) - 1;
    return typeof chosen !== 'object' || chosen.has(id) ? id : undefined;
  }

  function begin(place: number, inserted: string): void {
    begins.set(place, (begins.get(place) ?? '') + inserted);
  }

  function end(place: number, inserted: string): void {
    ends.set(place, inserted + (ends.get(place) ?? ''));
  }

  function wrap(node: AstNode, before: string, after: string): void {
    begin(node.start, before);
    end(node.end, after);
  }

  /** Adds a mutant that surrounds a node. */
  function addAround(kind: Kind, node: AstNode, change: string, before: (id: number) => string, after: string): void {
    const id = add(kind, node, change);
    if (id !== undefined) wrap(node, before(id), after);
  }

  function source({start, end}: AstNode): string {
    return text.slice(start, end);
  }

  /** Learns what is needed to plant mutants in earlier lines: types as they are written, and what is emitted. */
  function survey(value: unknown): void {
    if (Array.isArray(value)) for (const item of value) survey(item);
    if (!isNode(value)) return;
    const {typeAnnotation, init, id} = value;
    if (value.type === 'Identifier' && isNode(typeAnnotation)) {
      const name = nameOf(value);
      types.set(name, (types.get(name) ?? new Set()).add(source(typeAnnotation)));
    }
    const made = value.type === 'FunctionDeclaration' ? value : unwrapped(init);
    if (made !== undefined && isFunction(made)) parameters.set(nameOf(id), nodesOf(made.params).map(typeOf));
    if (value.type === 'CallExpression' && nameOf(value.callee) === 'emit')
      for (const argument of nodesOf(value.arguments))
        if (argument.type === 'Identifier') emitted.add(nameOf(argument));
    for (const child of Object.values(value)) survey(child);
  }

  function typeOf({typeAnnotation}: AstNode): string {
    return isNode(typeAnnotation) ? source(typeAnnotation) : '';
  }

  /** Plants the mutants of a node, then those in it: parents come first, so that their beginnings are outside. */
  function visit(value: unknown, field: string, parent: AstNode | undefined): void {
    if (Array.isArray(value)) for (const item of value) visit(item, field, parent);
    if (!isNode(value)) return;
    // A type has no expression; `as` and its like have one.
    if (value.type.startsWith('TS')) {
      visit(value.expression, field, value);
      return;
    }
    if (events.has(value)) eventDepth += 1;
    plant(value, field, parent);
    const isLater = isFunction(value);
    if (isLater) depth += 1;
    for (const [name, child] of Object.entries(value)) {
      const isName = (name === 'property' || name === 'key') && value.computed === false;
      if (!isName) visit(child, value.type === 'ChainExpression' || field === 'chain' ? 'chain' : name, value);
    }
    if (isLater) depth -= 1;
    if (events.has(value)) eventDepth -= 1;
  }

  function plant(node: AstNode, field: string, parent: AstNode | undefined): void {
    const {test, left, right, operator, expression} = node;
    if ((node.type === 'IfStatement' || node.type === 'ConditionalExpression') && isNode(test)) {
      const isComparison = test.type === 'BinaryExpression' && String(test.operator).endsWith('==');
      if (!isComparison) addAround('condition', test, `negate ${source(test)}`, (id) => `$m.not(${id},(`, '))');
    }
    if (node.type === 'ExpressionStatement' && isNode(expression) && typeof node.directive !== 'string') {
      if (!source(expression).startsWith('super('))
        addAround('statement', expression, `drop ${source(expression)}`, (id) => `$m(${id})||(`, ')');
    }
    if (isNode(left) && isNode(right)) plantOperator(node, left, right, String(operator));
    if (node.type === 'Literal') plantLiteral(node, parent);
    if (node.type === 'TemplateLiteral') plantTemplate(node, parent);
    if (node.type === 'ObjectExpression') plantProperties(node);
    if (node.type === 'ArrayExpression') plantElements(node, parent);
    if (node.type === 'AwaitExpression') plantAwait(node, parent);
    if (node.type === 'TryStatement') plantFinally(node);
    if (node.type === 'VariableDeclarator' || node.type === 'FunctionDeclaration' || node.type === 'Property')
      markNamed(node);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') plantCall(node, field);
  }

  function plantOperator(node: AstNode, left: AstNode, right: AstNode, operator: string): void {
    if (node.type === 'LogicalExpression') {
      const before = (id: number) =>
        ({'&&': `($m(${id})||(`, '||': `(!$m(${id})&&(`})[operator] ?? `($m(${id})?undefined:(`;
      addAround('operand', right, `drop ${operator} ${source(right)}`, before, '))');
    }
    const other = comparisons[operator];
    if (node.type !== 'BinaryExpression' || other === undefined) return;
    const id = add('comparison', node, `${source(node)}: ${operator} → ${other}`);
    if (id === undefined) return;
    wrap(node, `$m.compare(${id},'${operator}',`, ')');
    const gap = text.slice(left.end, right.start);
    replaced.set(left.end, {end: right.start, text: gap.replace(operator, ',')});
  }

  function plantLiteral(node: AstNode, parent: AstNode | undefined): void {
    const {value} = node;
    if (typeof value === 'number')
      addAround('number', node, `${source(node)} → ${value + 1}`, (id) => `(($m(${id})?1:0)+`, ')');
    if (typeof value === 'boolean') addAround('boolean', node, `${value} → ${!value}`, (id) => `($m(${id})!==`, ')');
    const isName = parent === undefined || /^(?:Import|Export|JSX)/.test(parent.type);
    if (typeof value !== 'string' || isName) return;
    const quote = source(node).charAt(0);
    const isChanged = plantSql(sqlChanges(source(node).slice(1, -1), true), node, (condition) => [
      ...[`${quote}+(${condition}`, `)+${quote}`],
    ]);
    if (isChanged) wrap(node, '(', ')');
  }

  /** Plants changes of the SQL in a template, and leaves out the parts of a key. */
  function plantTemplate(node: AstNode, parent: AstNode | undefined): void {
    if (parent?.type === 'TaggedTemplateExpression') return;
    for (const quasi of nodesOf(node.quasis)) {
      const raw = source(quasi).slice(1, quasi.tail === true ? -1 : -2);
      plantSql(sqlChanges(raw, quasi.tail === true), quasi, (condition) => [`\${${condition}`, '}']);
    }
    if (!inputs.has(node)) return;
    for (const part of nodesOf(node.expressions))
      addAround('input', part, `drop \${${source(part)}}`, (id) => `($m(${id})?'':(`, '))');
  }

  /** Plants changes in a text that begins one character after the start of `node`. */
  function plantSql(
    changes: readonly SqlChange[],
    node: AstNode,
    around: (condition: string) => readonly string[],
  ): boolean {
    let isChanged = false;
    for (const {change, insertions} of changes) {
      const id = add('sql', node, change);
      if (id === undefined) continue;
      isChanged = true;
      for (const {at, text: inserted, isEnd} of insertions) {
        const code = around(`$m(${id})?'${inserted}':''`).join('');
        (isEnd === true ? end : begin)(node.start + 1 + at, code);
      }
    }
    return isChanged;
  }

  function plantProperties(node: AstNode): void {
    const properties = nodesOf(node.properties).filter((property) => {
      const isValue = property.type === 'Property' && property.kind === 'init' && property.method === false;
      // A property that is not there is undefined, and mostly the same as false.
      const without = eventDepth > 0 ? ['undefined'] : ['undefined', 'false'];
      const isMissing = isNode(property.value) && without.includes(source(property.value));
      return isValue && !isMissing && !['cause', '__proto__'].includes(nameOf(property));
    });
    plantParts(eventDepth > 0 ? 'event' : depth === 0 ? 'row' : 'property', node, properties, ['{', '}']);
    plantSpreads(node.properties, '{}');
  }

  function plantElements(node: AstNode, parent: AstNode | undefined): void {
    const elements = nodesOf(node.elements).filter(({type}) => type !== 'SpreadElement');
    const isPair = elements.length === 2 && /^(?:Array|ArrowFunction)Expression$/.test(parent?.type ?? '');
    const isTaken = isNode(parent?.id) && parent.id.type === 'ArrayPattern';
    const kind = inputs.has(node) ? 'input' : depth === 0 ? 'row' : 'element';
    // Both values of a pair are needed.
    if (kind === 'input' || !(isPair || isTaken)) plantParts(kind, node, elements, ['[', ']']);
    plantSpreads(node.elements, '[]');
  }

  /** Plants mutants that leave out parts of a list or object. */
  function plantParts(kind: Kind, node: AstNode, parts: readonly AstNode[], [open, close]: readonly string[]): void {
    const first = mutants.length;
    for (const part of parts) {
      const id = add(kind, part, `drop ${source(part)}`, first);
      if (id === undefined) continue;
      if (chosen !== 'reach') wrap(part, `...($m(${id})?${open}${close}:${open}`, `${close})`);
      else if (id === first) wrap(node, `($m(${id}),`, ')');
    }
  }

  function plantSpreads(parts: unknown, empty: string): void {
    for (const part of nodesOf(parts)) {
      if (part.type !== 'SpreadElement' || !isNode(part.argument)) continue;
      addAround('spread', part.argument, `drop ${source(part)}`, (id) => `($m(${id})?${empty}:(`, '))');
    }
  }

  function plantAwait(node: AstNode, parent: AstNode | undefined): void {
    const {argument} = node;
    // What an async function returns is awaited by its caller; a module that is not loaded is nothing.
    if (!isNode(argument) || argument.type === 'ImportExpression' || parent?.type === 'ReturnStatement') return;
    const id = add('await', node, `drop await of ${source(argument)}`);
    if (id === undefined) return;
    wrap(node, '$m.shown(', ')');
    wrap(argument, `$m.hidden(${id},`, ')');
  }

  /** Lets `finally` do its work only if nothing was thrown. */
  function plantFinally(node: AstNode): void {
    const {block, handler, finalizer} = node;
    if (!isNode(finalizer) || !isNode(block)) return;
    const id = add('finally', finalizer, `not after a failure: ${source(finalizer)}`);
    if (id === undefined) return;
    const isFailed = `$f${id}`;
    wrap(node, `{let ${isFailed}=false;`, '}');
    if (isNode(handler) && isNode(handler.body)) begin(handler.body.start + 1, `${isFailed}=true;`);
    else end(block.end, `catch($e){${isFailed}=true;throw $e}`);
    begin(finalizer.start + 1, `if(!($m(${id})&&${isFailed})){`);
    end(finalizer.end - 1, '}');
  }

  function plantCall(node: AstNode, field: string): void {
    const args = nodesOf(node.arguments);
    const name = nameOf(node.callee);
    if (name === 'emit') for (const argument of args) events.add(argument);
    if (name === 'memoByInputs') markInputs(args[1]);
    if (/^memoBy(?:Slices|Frame)/.test(name)) markInputs(args[0]);
    plantSpreads(args, '[]');
    plantSwaps(node, args, name);
    // What `IncrementalMapper.map` gets beside the list and the function.
    if (name === 'map')
      for (const part of args.slice(2))
        addAround('input', part, `drop ${source(part)}`, (id) => `...($m(${id})?[]:[`, '])');
    if (node.type !== 'CallExpression') return;
    if (name === 'finally') plantThen(node);
    if (field !== 'chain') plantDroppedMethod(node);
  }

  function plantThen({callee}: AstNode): void {
    if (!isNode(callee) || !isNode(callee.object) || !isNode(callee.property) || callee.optional === true) return;
    const id = add('finally', callee.property, `finally → then`);
    if (id === undefined) return;
    const lines = text.slice(callee.object.end, callee.property.start).replace(/[^\n]/g, '');
    replaced.set(callee.object.end, {end: callee.property.end, text: `${lines}[$m(${id})?'then':'finally']`});
  }

  /** Swaps neighbouring arguments that have the same type as far as this file says, or similar names. */
  function plantSwaps(node: AstNode, args: readonly AstNode[], name: string): void {
    if (symmetric.test(name)) return;
    const own = isNode(node.callee) && node.callee.type === 'Identifier' ? parameters.get(name) : undefined;
    for (const [at, second] of args.slice(1).entries()) {
      const first = args[at];
      if (first === undefined || source(first) === source(second)) continue;
      if (![first, second].every((arg) => /^[\w.$#]+$/.test(source(arg)) && /Identifier|Member/.test(arg.type)))
        continue;
      const isOneType = own === undefined ? haveOneType(first, second) : own[at] !== '' && own[at] === own[at + 1];
      if (!isOneType) continue;
      const id = add('arguments', first, `${name}: ${source(first)} ↔ ${source(second)}`);
      if (id === undefined) continue;
      wrap(first, `($m(${id})?${source(second)}:`, ')');
      wrap(second, `($m(${id})?${source(first)}:`, ')');
    }
  }

  function haveOneType(a: AstNode, b: AstNode): boolean {
    const [typesOfA, typesOfB] = [a, b].map(
      (arg) => types.get(arg.type === 'Identifier' ? nameOf(arg) : '') ?? new Set(),
    );
    if (typesOfA?.size === 1 && typesOfB?.size === 1) return [...typesOfA][0] === [...typesOfB][0];
    const [nameOfA, nameOfB] = [nameOf(a), nameOf(b)];
    const lastWord = (name: string) => /(?:^|[a-z\d])([A-Z][a-z\d]*)$/.exec(name)?.[1];
    return (
      (lastWord(nameOfA) !== undefined && lastWord(nameOfA) === lastWord(nameOfB)) ||
      opposites.has(`${nameOfA},${nameOfB}`)
    );
  }

  /** Marks what a declaration or property says about memos and events by its name. */
  function markNamed(node: AstNode): void {
    const name = nameOf(node);
    const value = node.type === 'FunctionDeclaration' ? node : (node.init ?? node.value);
    if (!isNode(value)) return;
    if ((node.type === 'Property' ? inputProperty : inputName).test(name)) markInputs(value);
    if (node.type === 'VariableDeclarator' && emitted.has(name)) events.add(value);
  }

  /** Marks a list or key, or the one that a function returns. */
  function markInputs(node: unknown): void {
    const value = unwrapped(node);
    if (value === undefined) return;
    inputs.add(value);
    if (!isFunction(value)) return;
    const body = unwrapped(value.body);
    if (body?.type !== 'BlockStatement') markInputs(body);
    else
      for (const statement of nodesOf(body.body))
        if (statement.type === 'ReturnStatement') markInputs(statement.argument);
  }

  function plantDroppedMethod(node: AstNode): void {
    const {callee} = node;
    if (!isNode(callee) || callee.type !== 'MemberExpression' || !isNode(callee.object) || !isNode(callee.property))
      return;
    if (!droppable.has(source(callee.property)) || callee.object.type === 'Super') return;
    const method = text.slice(callee.object.end, node.end);
    if (/\b(?:await|yield)\b/.test(method)) return;
    const id = add('method', callee.property, `drop ${method.trim()}`);
    if (id === undefined) return;
    wrap(node, `$m.drop(${id},`, ')');
    end(callee.object.end, ',($o)=>$o');
  }
}
