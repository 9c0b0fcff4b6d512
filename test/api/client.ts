import {createServer, type RequestListener, type Server} from 'node:http';
import {type AddressInfo, createServer as createTcpServer, type Socket} from 'node:net';
import {text} from 'node:stream/consumers';
import {onTestFinished} from 'vitest';
import {type Api, makeApi} from '#api/api.ts';
import {Connection} from '#api/connection.ts';
import type {ConnectionOptions} from '#api/connection-options.ts';
import type {Person} from '#test/support/people.ts';
import type {TestServer} from '#test/support/server.ts';
import {type ApiFailure, isApiFailure} from '#wire/failure.ts';

export function connectTo(options: Partial<ConnectionOptions> & {site: string}): Connection {
  const connection = new Connection({userAgent: 'ParleyTest/1.0', ...options});
  onTestFinished(() => connection.close());
  return connection;
}

/** Returns the API client of a user, with the server's feature level set. */
export function clientOf(server: TestServer, person?: Person, options: Partial<ConnectionOptions> = {}): Api {
  const connection = connectTo({
    site: server.url,
    ...(person !== undefined && {credentials: {email: person.email, apiKey: person.apiKey}}),
    ...options,
  });
  connection.level = server.context.level;
  return makeApi(connection);
}

/** Returns the failure of a call; throws if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<ApiFailure> {
  const error = await call.then(
    (value) => new Error(`It worked: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!isApiFailure(error)) throw error;
  return error;
}

/** Starts an HTTP server with the test's own handler and returns its URL. */
export async function httpServer(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenOnFreePort(createServer(listener))}`;
}

/** Starts a server that passes requests on to another one, and changes the texts of its answers. */
export function changingProxy(url: string, change: (answer: string) => string, listener: RequestListener = () => {}) {
  return httpServer(async (request, response) => {
    listener(request, response);
    if (response.headersSent) return;
    const {method = 'GET', headers} = request;
    const {authorization = '', 'content-type': type = ''} = headers;
    const body = method === 'GET' ? null : await text(request);
    const answer = await fetch(url + request.url, {method, headers: {authorization, 'content-type': type}, body});
    const changed = change(await answer.text());
    response.writeHead(answer.status, {'content-type': 'application/json'}).end(changed);
  });
}

/** Starts a TCP server and returns its port. */
export function tcpServer(onSocket: (socket: Socket) => void): Promise<number> {
  return listenOnFreePort(
    createTcpServer((socket) => {
      socket.on('error', () => {});
      onSocket(socket);
    }),
  );
}

/** Starts a server on a free port; closes it and its open sockets when the test ends. */
export async function listenOnFreePort(server: Server | ReturnType<typeof createTcpServer>): Promise<number> {
  const sockets = new Set<Socket>();
  for (const event of ['connection', 'secureConnection']) {
    server.on(event, (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => sockets.delete(socket));
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
