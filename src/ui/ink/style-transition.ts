import type {AnsiCode} from '@alcalzone/ansi-tokenize';

/** The codes of a style by the parameter that ends them, and its hyperlink. */
export interface StyleParts {
  /** SGR parameters, such as `31` or `38;5;200`, by the parameter that ends them. Bold and faint have the same end. */
  readonly attributes: ReadonlyMap<string, readonly string[]>;
  readonly link: AnsiCode | undefined;
}

export function styleParts(codes: readonly AnsiCode[]): StyleParts {
  const attributes = new Map<string, string[]>();
  let link: AnsiCode | undefined;
  for (const code of codes) {
    const [parameter, end] = [sgrParameter(code.code), sgrParameter(code.endCode)];
    if (parameter === undefined || end === undefined) link = code;
    else attributes.set(end, [...(attributes.get(end) ?? []), parameter]);
  }
  return {attributes, link};
}

/** The ends of attributes that change only characters: weight, slant, visibility and colour. */
const invisibleOnBlanks = new Set(['22', '23', '28', '39']);

export function showsOnBlanks({attributes, link}: StyleParts): boolean {
  return link !== undefined || [...attributes.keys()].some((end) => !invisibleOnBlanks.has(end));
}

function sgrParameter(code: string): string | undefined {
  return /^(?:\u001b\[|\u009b)([\d;:]+)m$/.exec(code)?.[1];
}

/** Returns the shortest sequences that change one style into another in a terminal. */
export function shortTransition(from: StyleParts, to: StyleParts): string {
  const link = from.link?.code === to.link?.code ? '' : (to.link?.code ?? from.link?.endCode ?? '');
  const changed = changedParameters(from.attributes, to.attributes);
  const anew = to.attributes.size === 0 ? '' : newParameters(to.attributes);
  const isShorter = changed !== undefined && changed.length < anew.length;
  return link + (changed === '' ? '' : `\u001b[${isShorter ? changed : anew}m`);
}

/** Returns sequences that change one style into another and that Ink's tokenizer can read: it knows no empty reset. */
export function readableTransition(from: StyleParts, to: StyleParts): string {
  const link = from.link?.code === to.link?.code ? '' : (from.link?.endCode ?? '') + (to.link?.code ?? '');
  const parameters = changedParameters(from.attributes, to.attributes) ?? newParameters(to.attributes);
  return link + (parameters === '' ? '' : `\u001b[${parameters}m`);
}

/** The parameter that ends everything; also the end of parameters that have none of their own. */
const reset = '0';
/** The end of both bold and faint. */
const normalWeight = '22';

/** Returns the parameters that change only what differs; undefined when a reset is needed. */
function changedParameters(from: StyleParts['attributes'], to: StyleParts['attributes']): string | undefined {
  const parameters: string[] = [];
  for (const end of new Set([...from.keys(), ...to.keys()])) {
    const [before, after] = [from.get(end) ?? [], to.get(end) ?? []];
    const isRemoved = before.some((parameter) => !after.includes(parameter));
    if (isRemoved && end === reset) return undefined;
    if (isRemoved && (after.length === 0 || end === normalWeight)) parameters.push(end, ...after);
    else if (isRemoved) parameters.push(...after);
    else parameters.push(...after.filter((parameter) => !before.includes(parameter)));
  }
  return parameters.join(';');
}

function newParameters(to: StyleParts['attributes']): string {
  return [reset, ...[...to.values()].flat()].join(';');
}
