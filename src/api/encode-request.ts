import {type Endpoint, encodeParam, type Param, type ParamsIn, type ParamTable} from '#wire/endpoint.ts';
import {register} from '#wire/endpoints/session.ts';
import {invalidCallFailure, serverTooOldFailure} from '#wire/failure.ts';
import {levels} from '#wire/levels.ts';
import {type NarrowTerm, narrow as narrowSchema, normalizeTerm, termForLevel, termSince} from '#wire/narrow.ts';
import {decode} from '#wire/schema.ts';

/** Parley's defaults, for parameters whose server default is meant for older clients. */
const clientDefaults: Readonly<Record<string, unknown>> = {allow_empty_topic_name: true};

/**
 * Encodes the arguments of a call for a server of this level: the path below `/api/v1` and the form. Throws when the server
 * is too old or the call invalid.
 */
export function encodeRequest<P extends ParamTable>(endpoint: Endpoint<P, unknown>, args: ParamsIn<P>, level: number) {
  if (endpoint.since > level)
    throw serverTooOldFailure(endpoint.id, `“${readableName(endpoint.id)}”`, endpoint.since, level);
  const form = new URLSearchParams();
  const unsupported: [name: string, since: number][] = [];
  for (const [name, spec] of Object.entries<Param>(endpoint.params)) {
    if (spec.encoding === 'path') continue;
    const value = Reflect.get(args, name) ?? nullOrDefault(args, name);
    if (value === undefined) {
      if (spec.presence === 'required') throw invalidCallFailure(endpoint.id, `${endpoint.id} needs ${name}.`);
      continue;
    }
    const parameterName = nameAtLevel(name, spec, level);
    if (parameterName === undefined) unsupported.push([name, spec.since]);
    else form.set(parameterName, encodeParam(spec, valueAtLevel(endpoint.id, name, value, level)));
  }
  rejectEmptyChange(endpoint, form, unsupported, level);
  return {path: encodePath(endpoint, args), form};
}

/**
 * Throws when a server of this level does not know one of these parameters, which `encodeRequest` leaves out: for
 * callers whose user asked for exactly that.
 */
export function requireParameters(
  {id, params}: Pick<Endpoint, 'id' | 'params'>,
  names: readonly string[],
  level: number,
): void {
  for (const name of names) {
    const spec = params[name];
    if (spec === undefined || nameAtLevel(name, spec, level) !== undefined) continue;
    throw serverTooOldFailure(id, `“${name.replaceAll('_', ' ')}”`, spec.since, level);
  }
}

function nullOrDefault(args: object, name: string): unknown {
  return Reflect.get(args, name) === null ? null : clientDefaults[name];
}

/** Returns a parameter's name on a server of this level: its older name, or undefined when the server does not know it. */
function nameAtLevel(name: string, spec: Param, level: number): string | undefined {
  return spec.since <= level ? name : spec.aliases[0];
}

function valueAtLevel(endpoint: string, name: string, value: unknown, level: number): unknown {
  return name === 'narrow' ? encodeNarrow(endpoint, value, level) : valueForLevel(name, value, level);
}

/**
 * Encodes a narrow for a server of this level. A term it does not know is rejected here, with a clearer error. A
 * registration takes its terms as pairs of texts.
 */
function encodeNarrow(endpoint: string, narrow: unknown, level: number): (NarrowTerm | [string, string])[] {
  const decoded = decode(narrowSchema, narrow);
  if (!decoded.ok) throw invalidCallFailure(endpoint, `Invalid narrow: ${decoded.reason}.`);
  return decoded.value.map((written) => {
    const term = normalizeTerm(written);
    const since = termSince(term);
    if (since > level) throw serverTooOldFailure(endpoint, `${term.operator}:${String(term.operand)}`, since, level);
    const older = termForLevel(term, level);
    const isEmptyTopic = older.operator === 'topic' && older.operand === '' && level < levels.emptyTopic;
    const encoded = isEmptyTopic ? {...older, operand: noTopicName} : older;
    return endpoint === register.id ? [encoded.operator, String(encoded.operand)] : encoded;
  });
}

/** Rejects a PATCH without any remaining parameters: the server would report success but change nothing. */
function rejectEmptyChange(
  endpoint: Pick<Endpoint, 'id' | 'method'>,
  form: URLSearchParams,
  unsupported: readonly [name: string, since: number][],
  level: number,
): void {
  const [first] = unsupported;
  if (endpoint.method !== 'PATCH' || form.size > 0 || first === undefined) return;
  throw serverTooOldFailure(endpoint.id, `“${readableName(first[0])}”`, first[1], level);
}

function encodePath<P extends ParamTable>(endpoint: Endpoint<P, unknown>, args: ParamsIn<P>): string {
  return endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const spec: Param | undefined = endpoint.params[name];
    const value: unknown = Reflect.get(args, name);
    const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
    const segments = spec?.rest === true ? text.split('/') : [text];
    const isNumber = spec?.digits !== true || /^\d+$/.test(text);
    // A dot segment would lead to another endpoint.
    if (!isNumber || segments.some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw invalidCallFailure(endpoint.id, `Invalid ${name.replaceAll('_', ' ')}: "${text}".`);
    }
    return segments.map(encodeSegment).join('/');
  });
}

/** Encodes a path segment. A lone surrogate becomes the replacement character, as in a form. */
function encodeSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed());
}

/** Returns a readable name: `navigation-view.edit` → `navigation view: edit`, `is_archived` → `is archived`. */
function readableName(id: string): string {
  return id.replace('.', ': ').replaceAll(/[-_]/g, ' ');
}

/** The name of the empty topic on servers that do not support empty names. */
const noTopicName = '(no topic)';

interface OlderValue {
  readonly below: number;
  readonly convert: (value: unknown) => unknown;
}

const replacement = (below: number, newValue: unknown, oldValue: unknown): OlderValue => ({
  below,
  convert: (value) => (value === newValue ? oldValue : value),
});

const topic = replacement(levels.emptyTopic, '', noTopicName);

/** Parameters whose values had other spellings on older servers. A name has the same meaning at every endpoint. */
const olderValues: Readonly<Record<string, readonly OlderValue[]>> = {
  type: [replacement(levels.typeChannel, 'channel', 'stream'), replacement(levels.typeDirect, 'direct', 'private')],
  topic: [topic],
  topic_name: [topic],
  include_subscribers: [replacement(levels.partialSubscribers, 'partial', 'true')],
  web_home_view: [replacement(levels.recentView, 'recent', 'recent_topics')],
  twenty_four_hour_time: [replacement(levels.localeTime, null, false)],
  message_content_edit_limit_seconds: [replacement(levels.editLimitNull, 'unlimited', 0)],
  url_template: [{below: levels.linkifierTemplates, convert: (value) => toUrlFormat(String(value))}],
};

/** Returns a current value in the spelling of a server of this level. */
function valueForLevel(name: string, value: unknown, level: number): unknown {
  const rules = olderValues[name] ?? [];
  return rules.reduce((current, {below, convert}) => (level < below ? convert(current) : current), value);
}

/** Converts a URL template to the older format: `https://tickets.example/{id}` → `https://tickets.example/%(id)s`. */
export function toUrlFormat(template: string): string {
  return template.replaceAll('%', '%%').replaceAll(/\{[+/?&#]?(\w+)\}/g, '%($1)s');
}
