import type {FileSource} from '#api/multipart.ts';
import {rawPath} from '#api/site.ts';
import {type ApiContext, retryWhenRateLimited, withApi} from '#cli/account-access/with-state.ts';
import {type CliIo, exitCodes, print, UsageError} from '#cli/io.ts';
import {openFileSource, readFileText, readStdin, withReadFailures} from '#cli/messages/local-files.ts';
import {printableJson} from '#std/printable.ts';
import {endpoint} from '#wire/endpoint.ts';
import {isApiFailure} from '#wire/failure.ts';
import type {VerbRunner} from './verb-table.ts';

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] as const;
type Method = (typeof methods)[number];
/** Longer than any server keeps a long poll open. */
const timeoutMs = 120_000;

interface ApiRequest {
  readonly method: Method;
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly file: FileSource | undefined;
}

export const api: VerbRunner<'api'> = async ({values, words}, io, signal) => {
  const request = await requestFromWords(words, io);
  return withApi(values, io, signal, async (context) => {
    const secret = await context.account.key();
    const show = (response: unknown) => {
      const text = printableJson(response, io.outputIsTty && !values.json ? 2 : undefined);
      print(io, secret === '' ? text : text.replaceAll(secret, '••••'));
    };
    try {
      show(await sendRequest(context, request));
    } catch (error) {
      if (isApiFailure(error) && error.response !== undefined) show(error.response);
      const mayBeMade = request.method !== 'GET' && isApiFailure(error) && error.carriedOut === 'maybe';
      if (mayBeMade) error.found = 'unknown';
      throw error;
    }
    return exitCodes.ok;
  });
};

async function sendRequest({api: {connection}, io, signal}: ApiContext, request: ApiRequest): Promise<unknown> {
  const {method, path, params, file} = request;
  if (file === undefined) {
    return retryWhenRateLimited(() => connection.callRaw(method, path, params, {signal, timeoutMs}), io, signal);
  }
  const endpointPath = rawPath(`${method} ${path}`, path);
  const upload = endpoint(`${method} ${endpointPath}`, `${method} ${endpointPath as `/${string}`}`, {
    upload: true,
  });
  const send = () => connection.upload(upload, {}, file, {signal, timeoutMs});
  return withReadFailures(file.name, () => retryWhenRateLimited(send, io, signal), signal);
}

async function requestFromWords(words: readonly string[], io: CliIo): Promise<ApiRequest> {
  const [verb = '', address = '', ...pairs] = words;
  const method = methods.find((known) => known === verb.toUpperCase());
  if (method === undefined) throw new UsageError(`METHOD must be one of ${methods.join(', ')}, not “${verb}”.`);
  const [path = '', query = ''] = address.split(/\?(.*)/s, 2);
  const params: Record<string, string> = Object.fromEntries(new URLSearchParams(query));
  let file: FileSource | undefined;
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    if (equals < 1) throw new UsageError(`“${pair}” must have the form KEY=VALUE.`);
    const key = pair.slice(0, equals);
    const value = pair.slice(equals + 1);
    if (key === 'file' && value.startsWith('@') && !value.startsWith('@@') && method !== 'GET') {
      file = await openFileSource(value.slice(1), io);
    } else params[key] = await textOf(value, io);
  }
  if (file !== undefined && Object.keys(params).length > 0) {
    throw new UsageError('An upload takes only a file, no other parameters.');
  }
  return {method, path, params, file};
}

async function textOf(value: string, io: CliIo): Promise<string> {
  if (value === '-') return readStdin(io);
  if (value.startsWith('@@')) return value.slice(1);
  return value.startsWith('@') ? readFileText(value.slice(1), io) : value;
}
