import {type Endpoint, encodeParam, type Param, type ParamsIn, type ParamTable} from '#wire/endpoint.ts';
import {levels} from '#wire/levels.ts';
import {
  type NarrowTerm,
  narrow as narrowSchema,
  normalizeTerm,
  termForLevel,
  termSince,
} from '#wire/narrow.ts';
import {decode} from '#wire/schema.ts';
import {invalidCallFailure, serverTooOldFailure} from './failure.ts';
import {noTopicName, valueForLevel} from './older-values.ts';

export interface EncodedRequest {
  /** Relative to `/api/v1`, path parameters filled in. */
  readonly path: string;
  readonly form: URLSearchParams;
}

/** What a client of ours wants unless it says otherwise, where the server's own default is for older clients. */
const ourDefaults: Readonly<Record<string, unknown>> = {allow_empty_topic_name: true};

/** Arguments → path and form, in the words that a server of this level knows. Throws what cannot be said to it. */
export function encodeRequest<P extends ParamTable>(
  endpoint: Endpoint<P, unknown>,
  args: ParamsIn<P>,
  level: number,
): EncodedRequest {
  if (endpoint.since > level)
    throw serverTooOldFailure(endpoint.id, `“${inWords(endpoint.id)}”`, endpoint.since, level);
  const form = new URLSearchParams();
  const late: [name: string, since: number][] = [];
  for (const [name, spec] of Object.entries<Param>(endpoint.params)) {
    if (spec.encoding === 'path') continue;
    const given = Reflect.get(args, name) ?? nullOrDefault(args, name);
    if (given === undefined) {
      if (spec.presence === 'required')
        throw invalidCallFailure(endpoint.id, `${endpoint.id} needs ${name}.`);
      continue;
    }
    const spelling = spellingAt(name, spec, level);
    if (spelling === undefined) late.push([name, spec.since]);
    else form.set(spelling, encodeParam(spec, valueAt(endpoint.id, name, given, level)));
  }
  refuseEmptied(endpoint, form, late, level);
  return {path: encodePath(endpoint, args), form};
}

function nullOrDefault(args: object, name: string): unknown {
  return Reflect.get(args, name) === null ? null : ourDefaults[name];
}

/** Before its level a parameter goes by its older name, if it has one; else it is left out. */
function spellingAt(name: string, spec: Param, level: number): string | undefined {
  return spec.since <= level ? name : spec.aliases[0];
}

function valueAt(endpoint: string, name: string, value: unknown, level: number): unknown {
  return name === 'narrow' ? encodeNarrow(endpoint, value, level) : valueForLevel(name, value, level);
}

/** Terms in the words of a server of this level. One that it cannot know is refused here: it would only say so less well. */
function encodeNarrow(endpoint: string, narrow: unknown, level: number): NarrowTerm[] {
  const decoded = decode(narrowSchema, narrow);
  if (!decoded.ok) throw invalidCallFailure(endpoint, `This is no narrow: ${decoded.reason}.`);
  return decoded.value.map((written) => {
    const term = normalizeTerm(written);
    const since = termSince(term);
    if (since > level)
      throw serverTooOldFailure(endpoint, `${term.operator}:${String(term.operand)}`, since, level);
    const older = termForLevel(term, level);
    const emptyTopic = older.operator === 'topic' && older.operand === '' && level < levels.emptyTopic;
    return emptyTopic ? {...older, operand: noTopicName} : older;
  });
}

/** A change of which nothing is left would be answered with success, and nothing would have changed. */
function refuseEmptied(
  endpoint: Pick<Endpoint, 'id' | 'method'>,
  form: URLSearchParams,
  late: readonly [name: string, since: number][],
  level: number,
): void {
  const [first] = late;
  if (endpoint.method !== 'PATCH' || form.size > 0 || first === undefined) return;
  throw serverTooOldFailure(endpoint.id, first[0], first[1], level);
}

function encodePath<P extends ParamTable>(endpoint: Endpoint<P, unknown>, args: ParamsIn<P>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const spec: Param | undefined = endpoint.params[name];
    const given: unknown = Reflect.get(args, name);
    const text = typeof given === 'number' || typeof given === 'string' ? String(given) : '';
    const segments = spec?.rest === true ? text.split('/') : [text];
    const isNumber = spec?.digits !== true || /^\d+$/.test(text);
    // A dot segment would be taken for a step up, and another endpoint would be called.
    if (!isNumber || segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw invalidCallFailure(endpoint.id, `"${text}" cannot be the ${name.replaceAll('_', ' ')} here.`);
    }
    return segments.map(encodeSegment).join('/');
  });
}

/** Half a surrogate pair has no encoding; it becomes the replacement character, as in a form. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

/** `navigation-view.edit` → `navigation view: edit`. */
function inWords(id: string): string {
  return id.replace('.', ': ').replaceAll('-', ' ');
}
