import {type Clock, systemClock} from '#std/clock.ts';
import {type DecodeIssues, decodeTolerantly, issueText} from '#wire/decode-tolerantly.ts';
import type {Endpoint, ParamsIn, ParamTable} from '#wire/endpoint.ts';
import {downloadEndpointId, invalidCallFailure, isApiFailure} from '#wire/failure.ts';
import type {CallOptions, ConnectionOptions, Download, DownloadOptions, UploadOptions} from './connection-options.ts';
import {encodeRequest} from './encode-request.ts';
import {type FileSource, multipart} from './multipart.ts';
import {RequestLog} from './request-log.ts';
import {malformedFailure, type ResponseEnvelope} from './response.ts';
import {rawPath, Site} from './site.ts';
import {type ResponseHead, Transport, type TransportRequest} from './transport.ts';

const defaultMaxDownload = 1024 * 1024 * 1024;
const maxReportedKinds = 1000;
/** A request without a response for this long is reported. */
const silenceMs = 8000;
const formType = 'application/x-www-form-urlencoded';

/**
 * A connection to one server as one account. It encodes requests and checks responses; each call is attempted once.
 * Credentials, certificates and sockets are private, so that printing it or its errors shows none of them.
 */
export class Connection {
  /** The server's feature level; 0 until it is known. */
  level = 0;
  /** The organization's URL. */
  readonly site: string;
  /** Called once for each kind of invalid data that was dropped from responses. The line never contains a value. */
  onDroppedData: (line: string) => void = () => {};
  /** Called when an endpoint rejects the account's credentials. */
  onLoginRefused: (endpoint: string) => void = () => {};
  /** Called with the start of a request that has had no response for long, and with undefined when one arrives again. */
  onSilence: (since: number | undefined) => void = () => {};
  /** The last requests. */
  readonly requestLog = new RequestLog();
  readonly #site: Site;
  readonly #transport: Transport;
  readonly #clock: Clock;
  #isSilent = false;
  readonly #reported = new Set<string>();

  constructor(options: ConnectionOptions) {
    this.#site = new Site(options.site);
    this.site = this.#site.url;
    this.#transport = new Transport(this.#site, options);
    this.#clock = options.clock ?? systemClock;
  }

  /** Whether calls are sent with an account's credentials. */
  get isAuthenticated(): boolean {
    return this.#transport.isAuthenticated;
  }

  /** Calls an endpoint once. Throws an `ApiFailure`, or the signal's reason. */
  async call<P extends ParamTable, R>(
    endpoint: Endpoint<P, R>,
    args: ParamsIn<P>,
    options: CallOptions = {},
  ): Promise<R> {
    const {path, form} = encodeRequest(endpoint, args, this.level);
    const request = this.#apiRequest(endpoint.id, endpoint.method, path, endpoint.auth !== 'none');
    try {
      return this.#decode(endpoint, await this.#send(withForm(request, form), options));
    } catch (error) {
      if (isApiFailure(error) && error.kind === 'login' && request.isAuthenticated) this.onLoginRefused(endpoint.id);
      throw error;
    }
  }

  /** Calls any endpoint by its path with encoded parameters. Returns the whole body of a successful response. */
  async callRaw(
    method: string,
    path: string,
    params: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const verb = method.toUpperCase();
    const endpoint = `${verb.slice(0, 10)} ${path.split(/[?#]/, 1)[0]?.slice(0, 100)}`;
    if (!/^(?:GET|POST|PATCH|PUT|DELETE)$/.test(verb)) {
      throw invalidCallFailure(endpoint, 'The method must be GET, POST, PATCH, PUT or DELETE.');
    }
    const request = this.#apiRequest(endpoint, verb, rawPath(endpoint, path), true);
    return this.#send(withForm(request, new URLSearchParams(params)), options);
  }

  /** Uploads a file. Errors of the file's source are thrown unchanged. */
  async upload<P extends ParamTable, R>(
    endpoint: Endpoint<P, R>,
    args: ParamsIn<P>,
    file: FileSource,
    options: UploadOptions = {},
  ): Promise<R> {
    const {path} = encodeRequest(endpoint, args, this.level);
    const {headers, body, sourceError} = await multipart(file, options.onProgress);
    const request = {...this.#apiRequest(endpoint.id, endpoint.method, path, true), headers, body};
    try {
      return this.#decode(endpoint, await this.#send(request, {...options, isSlow: true}));
    } catch (error) {
      const failure = sourceError();
      if (failure !== undefined && options.signal?.aborted !== true) throw failure.error;
      throw error;
    } finally {
      body.destroy();
    }
  }

  /** Downloads a file by a path or URL. Credentials are sent only to this server's own origin, and so are requests unless the user allows others. */
  async download(address: string, options: DownloadOptions = {}): Promise<Download> {
    const url = this.#site.webUrl(address);
    if (url === undefined) throw invalidCallFailure(downloadEndpointId, 'This is not the URL of a file.');
    if (options.isOwnOnly === true && !this.#site.isOwnOrigin(url)) {
      throw invalidCallFailure(downloadEndpointId, 'This file is on another server, to which Parley does not connect.');
    }
    this.#transport.checkHost(url, downloadEndpointId);
    const request: TransportRequest = {
      endpoint: downloadEndpointId,
      method: 'GET',
      url,
      target: url.pathname + url.search,
      // Without compression the announced size is the size of the file.
      headers: {'accept-encoding': 'identity'},
      isAuthenticated: this.#site.isOwnOrigin(url),
    };
    const head = await this.#transport.send(request, options, true);
    const {status, headers, body} = head.response;
    if (status !== 200) {
      await this.#transport.read(downloadEndpointId, head, options);
      throw malformedFailure({endpoint: downloadEndpointId, host: head.url.host}, `status ${status} is not a file`);
    }
    const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
    return {
      url: head.url.href,
      contentType: typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined,
      size: typeof length === 'string' ? Number(length) : undefined,
      body: this.#transport.stream(downloadEndpointId, head, options.maxBytes ?? defaultMaxDownload, options),
      cancel: () => void body.destroy(),
    };
  }

  /** Stops using the open sockets, which may be dead after sleep or a network change. Calls in progress continue. */
  resetSockets(): void {
    this.#transport.resetSockets();
  }

  /** Closes the connection; calls in progress fail. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Returns the absolute URL of a path on the server. */
  webUrl(address: string): string | undefined {
    return this.#site.webUrl(address)?.href;
  }

  #apiRequest(endpoint: string, method: string, path: string, isAuthenticated: boolean): TransportRequest {
    const url = new URL(this.#site.origin);
    return {endpoint, method, url, target: this.#site.apiPath(path), headers: {}, isAuthenticated};
  }

  async #send(request: TransportRequest, options: CallOptions): Promise<ResponseEnvelope> {
    const head = await this.#watchSilence(this.#sendLogged(request, options), options);
    return this.#transport.read(request.endpoint, head, options);
  }

  async #sendLogged(request: TransportRequest, options: CallOptions): Promise<ResponseHead> {
    const at = this.#clock.now();
    const startedAt = this.#clock.monotonic();
    let status: number | undefined;
    try {
      const head = await this.#transport.send(request, options, false);
      status = head.response.status;
      this.requestLog.noteHeaders(head.response.headers);
      return head;
    } finally {
      if (options.isSlow !== true && options.signal?.aborted !== true) {
        this.requestLog.add({endpoint: request.endpoint, at, ms: this.#clock.monotonic() - startedAt, status});
      }
    }
  }

  async #watchSilence<T>(response: Promise<T>, {isSlow = false}: CallOptions): Promise<T> {
    const since = this.#clock.monotonic();
    const cancel = isSlow ? undefined : this.#clock.after(silenceMs, () => this.#reportSilence(since));
    try {
      const head = await response;
      if (this.#isSilent) this.#reportSilence(undefined);
      return head;
    } finally {
      cancel?.();
    }
  }

  #reportSilence(since: number | undefined): void {
    this.#isSilent = since !== undefined;
    this.onSilence(since);
  }

  #decode<P extends ParamTable, R>(endpoint: Endpoint<P, R>, body: ResponseEnvelope): R {
    const decoded = decodeTolerantly(endpoint.result, body);
    if (!decoded.ok) throw malformedFailure({endpoint: endpoint.id, host: this.#site.host}, decoded.reason);
    if (decoded.issues.count > 0) this.#reportIssues(endpoint.id, decoded.issues);
    return decoded.value;
  }

  #reportIssues(endpoint: string, issues: DecodeIssues): void {
    for (const issue of issues.recorded) {
      const kind = `${endpoint} ${issue.path.replaceAll(/\d+/g, '')}`;
      if (this.#reported.has(kind) || this.#reported.size >= maxReportedKinds) continue;
      this.#reported.add(kind);
      this.onDroppedData(
        `Dropped invalid data from a response (${endpoint}), ${issues.count} in all: ${issueText(issue)}`,
      );
    }
  }
}

/** Adds the parameters: for a GET to the query, otherwise to the body. */
function withForm(request: TransportRequest, form: URLSearchParams): TransportRequest {
  const text = form.toString();
  if (text === '') return request;
  if (request.method === 'GET') return {...request, target: `${request.target}?${text}`};
  return {...request, headers: {'content-type': formType}, body: text};
}
