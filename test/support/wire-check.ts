import {once} from '#std/once.ts';
import type {Endpoint} from '#wire/endpoint.ts';
import {endpoints} from '#wire/endpoints.ts';
import {eventSchemas} from '#wire/events.ts';
import * as otherEndpoints from '#wire/other-endpoints.ts';
import {snapshot} from '#wire/register.ts';
import {object, type Schema} from '#wire/schema.ts';
import {errorCodes, wholeErrorBody} from './error-codes.ts';
import {strictProblems} from './strict-check.ts';
import {webClientEventSchemas, webClientFields} from './web-client-schemas.ts';

type Body = Readonly<Record<string, unknown>>;

/** Throws if a response of the newest level, or an event in it, has something that the schemas of `wire/` do not describe. */
export function checkResponse(method: string, path: string, body: Body): void {
  const problems = responseProblems(method, path, body);
  if (problems.length > 0) throw new Error(`${method} ${path} does not match its schema: ${problems.join('; ')}`);
}

/** As `checkResponse`, for events that were taken from a queue without a request. */
export function checkEvents(events: readonly Body[]): void {
  const problems = events.flatMap(eventProblems);
  if (problems.length > 0) throw new Error(`Events do not match their schemas: ${problems.join('; ')}`);
}

function responseProblems(method: string, path: string, body: Body): string[] {
  if (body.result === 'error') return errorProblems(body);
  const endpoint = endpointOf(method, path);
  if (endpoint === undefined) return ['unknown endpoint'];
  const {result, msg, ignored_parameters_unsupported: ignored = [], ...fields} = body;
  const problems = strictProblems(endpoint === endpoints.register ? wholeSnapshot : endpoint.result, fields);
  if (result !== 'success' || typeof msg !== 'string') problems.push('result or msg: wrong');
  if (!Array.isArray(ignored)) problems.push('ignored_parameters_unsupported: not a list');
  if (endpoint === endpoints.getEvents && Array.isArray(body.events))
    problems.push(...body.events.flatMap(eventProblems));
  return problems;
}

/** With what other clients read. */
const wholeSnapshot = object(snapshot.entries, webClientFields);

function errorProblems(body: Body): string[] {
  const {result: _result, msg: _msg, code, ...fields} = body;
  const allowed = code === undefined ? wrongMethodFields : fieldsByCode[String(code)];
  if (allowed === undefined) return [`code ${code}: unknown`];
  const others = Object.keys(fields).filter((name) => !allowed.includes(name));
  return [...strictProblems(wholeErrorBody, body), ...others.map((name) => `${name}: not a field of ${code}`)];
}

/** Only the response to a method that the path does not have is without a code. */
const wrongMethodFields = ['allowed_methods'];
const fieldsByCode: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(errorCodes).map(([code, {fields}]) => [code, fields]),
);

function eventProblems(event: Body): string[] {
  const {type, op} = event;
  const entry = Object.hasOwn(schemas, String(type)) ? schemas[String(type)] : undefined;
  if (entry === undefined) return /^has_\w+_token$/.test(String(type)) ? [] : [`event ${type}: unknown`];
  const schema = isSchema(entry) ? entry : entry[String(op)];
  if (schema === undefined) return [`event ${type} ${op}: unknown`];
  return strictProblems(schema, event).map((problem) => `event ${type}${op === undefined ? '' : ` ${op}`}${problem}`);
}

const schemas: Readonly<Record<string, Schema | Readonly<Record<string, Schema>>>> = {
  ...eventSchemas,
  ...webClientEventSchemas,
};

function isSchema(entry: Schema | Readonly<Record<string, Schema>>): entry is Schema {
  return 'kind' in entry && entry.kind === 'schema';
}

/** The endpoints with the patterns of their paths; of several that match, the one with the fewest parameters is first. */
const patterns = once(() =>
  Object.values<Endpoint>({...endpoints, ...otherEndpoints})
    .map((endpoint) => ({endpoint, pattern: patternOf(endpoint)}))
    .sort((a, b) => parameterCount(a.endpoint) - parameterCount(b.endpoint)),
);

function endpointOf(method: string, path: string): Endpoint | undefined {
  const [plain = ''] = path.split('?');
  return patterns().find(({endpoint, pattern}) => endpoint.method === method && pattern.test(plain))?.endpoint;
}

function patternOf({path, params}: Endpoint): RegExp {
  const source = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    if (params[name]?.digits === true) return '\\d+';
    return params[name]?.rest === true ? '.+' : '[^/]+';
  });
  return new RegExp(`^${source}$`);
}

function parameterCount({path}: Endpoint): number {
  return path.split('{').length;
}
