import {decodeParam, type Endpoint, type Param} from '#wire/endpoint.ts';
import {ApiError, badRequest, missingParam} from './errors.ts';

export interface Decoded {
  readonly params: Record<string, unknown>;
  /** Names that were sent and that this endpoint, at this level, does not know. */
  readonly ignored: readonly string[];
}

/** Finds each parameter in the path, the body, then the query, and checks it. */
export function decodeParams(
  endpoint: Endpoint,
  level: number,
  path: Readonly<Record<string, string | undefined>>,
  body: URLSearchParams,
  query: URLSearchParams,
): Decoded {
  const params: Record<string, unknown> = {};
  const known = new Set<string>();
  for (const [name, spec] of Object.entries(endpoint.params)) {
    if (spec.since > level) {
      params[name] = spec.fallback;
      continue;
    }
    if (spec.encoding === 'path') {
      params[name] = decodeOne(name, spec, path[name] ?? '');
      continue;
    }
    const sent = sentAs(name, spec, body, query);
    for (const spelling of [name, ...spec.aliases]) known.add(spelling);
    if (sent === undefined) {
      if (spec.presence === 'required') throw missingParam(name);
      params[name] = spec.fallback;
    } else {
      params[name] = decodeOne(sent.name, spec, sent.value);
    }
  }
  const ignored = new Set([...body.keys(), ...query.keys()].filter((name) => !known.has(name)));
  return {params, ignored: [...ignored]};
}

function sentAs(
  name: string,
  spec: Param,
  body: URLSearchParams,
  query: URLSearchParams,
): {name: string; value: string} | undefined {
  const found: {name: string; value: string}[] = [];
  for (const spelling of [name, ...spec.aliases]) {
    const value = body.get(spelling) ?? query.get(spelling);
    if (value !== null) found.push({name: spelling, value});
  }
  const [first, second] = found;
  if (first !== undefined && second !== undefined) {
    throw new ApiError(
      'REQUEST_CONFUSING_VAR',
      `Can't decide between '${first.name}' and '${second.name}' arguments`,
      400,
      {
        var_name1: first.name,
        var_name2: second.name,
      },
    );
  }
  return first;
}

function decodeOne(name: string, spec: Param, value: string): unknown {
  const decoded = decodeParam(spec, value);
  if (decoded.ok) return decoded.value;
  if (decoded.malformed) throw new ApiError('INVALID_JSON', `Argument "${name}" is not valid JSON.`);
  throw badRequest(`Invalid ${name}: ${decoded.reason}`);
}
