import type {Oddities} from '#wire/decode-issues.ts';
import {decodeTolerantly, sentenceOf} from '#wire/decode-tolerantly.ts';
import type {Endpoint, ParamsIn, ParamTable} from '#wire/endpoint.ts';
import type {
  CallOptions,
  ConnectionOptions,
  Download,
  DownloadOptions,
  UploadOptions,
} from './connection-options.ts';
import {encode} from './encode-request.ts';
import {badCall, isApiFailure} from './failure.ts';
import {type FileSource, multipart} from './multipart.ts';
import {downloadId, type Envelope, malformed} from './response.ts';
import {rawPath, Site} from './site.ts';
import {type Outward, Transport} from './transport.ts';

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
  report: (line: string) => void = () => {};
  /** Hears of endpoints that did not take the account's credentials. */
  unwelcome: (endpoint: string) => void = () => {};
  readonly #site: Site;
  readonly #transport: Transport;
  readonly #reported = new Set<string>();

  constructor(options: ConnectionOptions) {
    this.#site = new Site(options.site);
    this.site = this.#site.url;
    this.#transport = new Transport(this.#site, options);
  }

  /** Whether calls go out with an account's credentials. */
  get isSigned(): boolean {
    return this.#transport.isSigned;
  }

  /** One attempt at one endpoint. Throws an `ApiFailure`, or the signal's reason. */
  async call<P extends ParamTable, R>(
    endpoint: Endpoint<P, R>,
    args: ParamsIn<P>,
    options: CallOptions = {},
  ): Promise<R> {
    const {path, form} = encode(endpoint, args, this.level);
    const outward = this.#outward(endpoint.id, endpoint.method, path, endpoint.auth !== 'none');
    try {
      return this.#decoded(endpoint, await this.#answer(withForm(outward, form), options));
    } catch (error) {
      if (isApiFailure(error) && error.kind === 'login' && outward.signed) this.unwelcome(endpoint.id);
      throw error;
    }
  }

  /** Any endpoint by its path, with parameters as they travel. The whole body of a success. */
  async raw(
    method: string,
    path: string,
    params: Readonly<Record<string, string>>,
    options: CallOptions = {},
  ): Promise<unknown> {
    const verb = method.toUpperCase();
    const endpoint = `${verb.slice(0, 10)} ${path.split(/[?#]/, 1)[0]?.slice(0, 100)}`;
    if (!/^(?:GET|POST|PATCH|PUT|DELETE)$/.test(verb)) {
      throw badCall(endpoint, 'The method has to be one of GET, POST, PATCH, PUT, DELETE.');
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
    const {path} = encode(endpoint, args, this.level);
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
    if (url === undefined) throw badCall(downloadId, 'This is not the address of a file.');
    const outward: Outward = {
      endpoint: downloadId,
      method: 'GET',
      url,
      target: url.pathname + url.search,
      // Uncompressed, so that the announced size is the size of the file.
      headers: {'accept-encoding': 'identity'},
      signed: this.#site.isHome(url),
    };
    const reached = await this.#transport.send(outward, options, true);
    const {status, headers, body} = reached.incoming;
    if (status !== 200) {
      await this.#transport.read(downloadId, reached, options);
      throw malformed({endpoint: downloadId, host: reached.at.host}, `status ${status} is not a file`);
    }
    const length = headers['content-encoding'] === undefined ? headers['content-length'] : undefined;
    return {
      url: reached.at.href,
      contentType: typeof headers['content-type'] === 'string' ? headers['content-type'] : undefined,
      size: typeof length === 'string' ? Number(length) : undefined,
      body: this.#transport.stream(downloadId, reached, options.maxBytes ?? defaultMaxDownload, options),
      cancel: () => void body.destroy(),
    };
  }

  /** Lets go of the open sockets, which may be dead after sleep or a change of network. Calls under way go on. */
  renew(): void {
    this.#transport.renew();
  }

  /** Ends everything; calls under way fail. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  /** An absolute address of something that the server named by its path. */
  webUrl(address: string): string | undefined {
    return this.#site.webUrl(address)?.href;
  }

  #outward(endpoint: string, method: string, path: string, signed: boolean): Outward {
    const url = new URL(this.#site.origin);
    return {endpoint, method, url, target: this.#site.apiPath(path), headers: {}, signed};
  }

  async #answer(outward: Outward, options: CallOptions): Promise<Envelope> {
    const reached = await this.#transport.send(outward, options, false);
    return this.#transport.read(outward.endpoint, reached, options);
  }

  #decoded<P extends ParamTable, R>(endpoint: Endpoint<P, R>, body: Envelope): R {
    const decoded = decodeTolerantly(endpoint.result, body);
    if (!decoded.ok) throw malformed({endpoint: endpoint.id, host: this.#site.host}, decoded.reason);
    if (decoded.odd.count > 0) this.#reportOdd(endpoint.id, decoded.odd);
    return decoded.value;
  }

  #reportOdd(endpoint: string, odd: Oddities): void {
    for (const oddity of odd.kept) {
      const kind = `${endpoint} ${oddity.path.replaceAll(/\d+/g, '')}`;
      if (this.#reported.has(kind) || this.#reported.size >= mostReported) continue;
      this.#reported.add(kind);
      this.report(`Left out of an answer (${endpoint}), ${odd.count} in all: ${sentenceOf(oddity)}`);
    }
  }
}

/** A GET has its parameters in the query, everything else in the body. */
function withForm(outward: Outward, form: URLSearchParams): Outward {
  const text = form.toString();
  if (text === '') return outward;
  if (outward.method === 'GET') return {...outward, target: `${outward.target}?${text}`};
  return {...outward, headers: {'content-type': formType}, body: text};
}
