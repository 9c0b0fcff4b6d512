import type {DecodeIssues} from '#wire/decode-issues.ts';
import {decodeTolerantly, issueText} from '#wire/decode-tolerantly.ts';
import type {Endpoint, ParamsIn, ParamTable} from '#wire/endpoint.ts';
import type {
  CallOptions,
  ConnectionOptions,
  Download,
  DownloadOptions,
  UploadOptions,
} from './connection-options.ts';
import {encodeRequest} from './encode-request.ts';
import {invalidCallFailure, isApiFailure} from './failure.ts';
import {type FileSource, multipart} from './multipart.ts';
import {downloadEndpointId, malformedFailure, type ResponseEnvelope} from './response.ts';
import {rawPath, Site} from './site.ts';
import {Transport, type TransportRequest} from './transport.ts';

export type {
  CallOptions,
  ConnectionOptions,
  Download,
  DownloadOptions,
  UploadOptions,
} from './connection-options.ts';

const defaultMaxDownload = 1024 * 1024 * 1024;
const mostReported = 1000;
const formType = 'application/x-www-form-urlencoded';

/**
 * Speaks to one server as one account: arguments out, checked answers in, each call attempted once. Credentials,
 * certificates and sockets are private, so that printing it, or what it throws, shows none of them.
 */
export class Connection {
  /** The server's feature level; 0 until somebody has read it. */
  level = 0;
  /** The organization's address. */
  readonly site: string;
  /** Hears of what was left out of answers because it is not what it should be, each kind once. Never a value. */
  onDroppedData: (line: string) => void = () => {};
  /** Hears of endpoints that did not take the account's credentials. */
  onLoginRefused: (endpoint: string) => void = () => {};
  readonly #site: Site;
  readonly #transport: Transport;
  readonly #reported = new Set<string>();

  constructor(options: ConnectionOptions) {
    this.#site = new Site(options.site);
    this.site = this.#site.url;
    this.#transport = new Transport(this.#site, options);
  }

  /** Whether calls go out with an account's credentials. */
  get isAuthenticated(): boolean {
    return this.#transport.isAuthenticated;
  }

  /** One attempt at one endpoint. Throws an `ApiFailure`, or the signal's reason. */
  async call<P extends ParamTable, R>(
    endpoint: Endpoint<P, R>,
    args: ParamsIn<P>,
    options: CallOptions = {},
  ): Promise<R> {
    const {path, form} = encodeRequest(endpoint, args, this.level);
    const outward = this.#outward(endpoint.id, endpoint.method, path, endpoint.auth !== 'none');
    try {
      return this.#decoded(endpoint, await this.#answer(withForm(outward, form), options));
    } catch (error) {
      if (isApiFailure(error) && error.kind === 'login' && outward.isAuthenticated)
        this.onLoginRefused(endpoint.id);
      throw error;
    }
  }

  /** Any endpoint by its path, with parameters as they travel. The whole body of a success. */
  async callRaw(
    method: string,
    path: string,
    params: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const verb = method.toUpperCase();
    const endpoint = `${verb.slice(0, 10)} ${path.split(/[?#]/, 1)[0]?.slice(0, 100)}`;
    if (!/^(?:GET|POST|PATCH|PUT|DELETE)$/.test(verb)) {
      throw invalidCallFailure(endpoint, 'The method has to be one of GET, POST, PATCH, PUT, DELETE.');
    }
    const outward = this.#outward(endpoint, verb, rawPath(endpoint, path), true);
    return this.#answer(withForm(outward, new URLSearchParams(params)), options);
  }

  /** Sends a file. What its source throws is thrown on as it is. */
  async upload<P extends ParamTable, R>(
    endpoint: Endpoint<P, R>,
    args: ParamsIn<P>,
    file: FileSource,
    options: UploadOptions = {},
  ): Promise<R> {
    const {path} = encodeRequest(endpoint, args, this.level);
    const {headers, body, sourceError} = multipart(file, options.onProgress);
    const outward = {...this.#outward(endpoint.id, endpoint.method, path, true), headers, body};
    try {
      return this.#decoded(endpoint, await this.#answer(outward, options));
    } catch (error) {
      const own = sourceError();
      if (own !== undefined && options.signal?.aborted !== true) throw own.error;
      throw error;
    } finally {
      body.destroy();
    }
  }

  /** A file by the path or URL that a server gave. Only this server's own origin gets to see credentials. */
  async download(address: string, options: DownloadOptions = {}): Promise<Download> {
    const url = this.#site.webUrl(address);
    if (url === undefined) throw invalidCallFailure(downloadEndpointId, 'This is not the address of a file.');
    const outward: TransportRequest = {
      endpoint: downloadEndpointId,
      method: 'GET',
      url,
      target: url.pathname + url.search,
      // Uncompressed, so that the announced size is the size of the file.
      headers: {'accept-encoding': 'identity'},
      isAuthenticated: this.#site.isOwnOrigin(url),
    };
    const reached = await this.#transport.send(outward, options, true);
    const {status, headers, body} = reached.response;
    if (status !== 200) {
      await this.#transport.read(downloadEndpointId, reached, options);
      throw malformedFailure(
        {endpoint: downloadEndpointId, host: reached.url.host},
        `status ${status} is not a file`,
      );
    }
    const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
    return {
      url: reached.url.href,
      contentType: typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined,
      size: typeof length === 'string' ? Number(length) : undefined,
      body: this.#transport.stream(
        downloadEndpointId,
        reached,
        options.maxBytes ?? defaultMaxDownload,
        options,
      ),
      cancel: () => void body.destroy(),
    };
  }

  /** Lets go of the open sockets, which may be dead after sleep or a change of network. Calls under way go on. */
  resetSockets(): void {
    this.#transport.resetSockets();
  }

  /** Ends everything; calls under way fail. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** An absolute address of something that the server named by its path. */
  webUrl(address: string): string | undefined {
    return this.#site.webUrl(address)?.href;
  }

  #outward(endpoint: string, method: string, path: string, signed: boolean): TransportRequest {
    const url = new URL(this.#site.origin);
    return {endpoint, method, url, target: this.#site.apiPath(path), headers: {}, isAuthenticated: signed};
  }

  async #answer(outward: TransportRequest, options: CallOptions): Promise<ResponseEnvelope> {
    const reached = await this.#transport.send(outward, options, false);
    return this.#transport.read(outward.endpoint, reached, options);
  }

  #decoded<P extends ParamTable, R>(endpoint: Endpoint<P, R>, body: ResponseEnvelope): R {
    const decoded = decodeTolerantly(endpoint.result, body);
    if (!decoded.ok) throw malformedFailure({endpoint: endpoint.id, host: this.#site.host}, decoded.reason);
    if (decoded.odd.count > 0) this.#reportOdd(endpoint.id, decoded.odd);
    return decoded.value;
  }

  #reportOdd(endpoint: string, odd: DecodeIssues): void {
    for (const oddity of odd.recorded) {
      const kind = `${endpoint} ${oddity.path.replaceAll(/\d+/g, '')}`;
      if (this.#reported.has(kind) || this.#reported.size >= mostReported) continue;
      this.#reported.add(kind);
      this.onDroppedData(`Left out of an answer (${endpoint}), ${odd.count} in all: ${issueText(oddity)}`);
    }
  }
}

/** A GET has its parameters in the query, everything else in the body. */
function withForm(outward: TransportRequest, form: URLSearchParams): TransportRequest {
  const text = form.toString();
  if (text === '') return outward;
  if (outward.method === 'GET') return {...outward, target: `${outward.target}?${text}`};
  return {...outward, headers: {'content-type': formType}, body: text};
}
